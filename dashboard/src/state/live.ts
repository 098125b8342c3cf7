import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sessionKey } from '../api/session.ts';

/** A payment that changed, as the service told it. */
export interface Change {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: string;
}

interface Message {
  readonly now: string;
  readonly changes: readonly Change[];
}

interface Listener {
  onMessage(message: Message): void;
  /** The stream was cut and is back: what happened meanwhile was not told. */
  onBack(): void;
  /** The stream was refused: the session may have ended. */
  onRefused(): void;
}

/** One connection for the whole page, open while somebody listens. */
const listeners = new Set<Listener>();
let source: EventSource | undefined;
let isCut = false;

/** A browser connects anew by itself, unless it was refused, as by a service that just starts. */
const connectAgainMs = 2_000;

function connect(): void {
  const stream = new EventSource('/api/live');
  source = stream;
  stream.onmessage = (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as Message;
    for (const each of listeners) each.onMessage(message);
  };
  stream.onopen = () => {
    if (isCut) for (const each of listeners) each.onBack();
    isCut = false;
  };
  stream.onerror = () => {
    isCut = true;
    if (stream.readyState !== EventSource.CLOSED) return;
    for (const each of listeners) each.onRefused();
    setTimeout(() => {
      if (source === stream) connect();
    }, connectAgainMs);
  };
}

function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (source === undefined) connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    source?.close();
    source = undefined;
    isCut = false;
  };
}

/** The sandbox's clock was moved where it is farther off than this. */
const jumpMs = 5_000;

/** Calls `onChanges` with what changed while the page is open. */
export function useLive(onChanges: (changes: readonly Change[]) => void): void {
  const queries = useQueryClient();
  const latest = useRef(onChanges);
  useEffect(() => {
    latest.current = onChanges;
  });
  useEffect(
    () =>
      listen({
        onBack: () => void queries.invalidateQueries(),
        onRefused: () => void queries.invalidateQueries({ queryKey: sessionKey }),
        onMessage: ({ now, changes }) => {
          const known = queries.getQueryData<{ aheadMs: number } | null>(sessionKey);
          const aheadMs = Date.parse(now) - Date.now();
          if (known && Math.abs(known.aheadMs - aheadMs) > jumpMs) {
            queries.setQueryData(sessionKey, { ...known, aheadMs });
          }
          latest.current(changes);
        },
      }),
    [queries],
  );
}
