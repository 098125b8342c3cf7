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

type Listener = (message: Message) => void;

/** One connection for the whole page, open while somebody listens. */
const listeners = new Set<Listener>();
let source: EventSource | undefined;

function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (source === undefined) {
    source = new EventSource('/api/live');
    source.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as Message;
      for (const each of listeners) each(message);
    };
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    source?.close();
    source = undefined;
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
      listen(({ now, changes }) => {
        const known = queries.getQueryData<{ aheadMs: number } | null>(sessionKey);
        const aheadMs = Date.parse(now) - Date.now();
        if (known && Math.abs(known.aheadMs - aheadMs) > jumpMs) {
          queries.setQueryData(sessionKey, { ...known, aheadMs });
        }
        latest.current(changes);
      }),
    [queries],
  );
}
