import { addMs, type Clock, hourMs, minuteMs, secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { type Alert, keyOf } from './alert.ts';
import type {
  AlertWatchStore,
  DueMessage,
  OpenChannel,
  SendAlerts,
  ToldAlert,
} from './alert-ports.ts';
import { alertText } from './alert-text.ts';
import { decideAlerts } from './decide-alerts.ts';

/** Longer than any send takes: each of its steps has the time-out of webhooks. */
const leaseMs = 2 * minuteMs;
const claimLimit = 20;

/** A message that is not taken is tried again after 30 s, then twice as long each time, an hour at most. */
const firstRetryMs = 30 * secondMs;
const maxRetryMs = hourMs;
/** After that it would tell of yesterday: the alert itself is told again, if it is still there. */
const givenUpAfterMs = 24 * hourMs;

export interface WatchDeps {
  readonly store: AlertWatchStore;
  /** The database's time, which no sandbox moves. */
  readonly machine: Clock;
  readonly send: SendAlerts;
  /** All alerts that are there now, each merchant's by itself. */
  readAlerts(): Promise<readonly Alert[]>;
}

/** Looks, if it is time, and sends what is due. How many messages were sent, or tried. */
export async function watchAlerts(
  deps: WatchDeps,
  { intervalMs }: { readonly intervalMs: number },
): Promise<{ readonly looked: boolean; readonly tried: number }> {
  const at = deps.machine.now();
  const looked = await look(deps, { at, since: addMs(at, -intervalMs) });
  return { looked, tried: await sendDue(deps) };
}

async function look(
  { store, readAlerts }: WatchDeps,
  input: { readonly at: Date; readonly since: Date },
): Promise<boolean> {
  if (!(await store.isTime(input))) return false;
  const seen = (await readAlerts()).map(toTold);
  return store.look(input, async (known) => decideAlerts(known, { seen, at: input.at }));
}

/** An alert in words, under the name that it keeps. */
export function toTold(alert: Alert): ToldAlert {
  const { kind, count, at, merchantId, merchantName } = alert;
  const { title, detail } = alertText(alert);
  return {
    key: keyOf(alert),
    kind,
    count,
    title: title.slice(0, maxTitle),
    detail: detail.slice(0, maxDetail),
    at,
    ...present({ merchantId, merchantName }),
  };
}

/** The columns say the same. */
const maxTitle = 500;
const maxDetail = 1_000;

async function sendDue(deps: WatchDeps): Promise<number> {
  const at = deps.machine.now();
  const leaseUntil = addMs(at, leaseMs);
  const due = await deps.store.claimDue({ at, leaseUntil, limit: claimLimit });
  if (due.length === 0) return 0;
  const { channels } = await deps.store.readRouting(at);
  const open = new Map(channels.map((channel) => [channel.channelId, channel]));
  await Promise.all(due.map((message) => sendOne(deps, message, open.get(message.channelId))));
  return due.length;
}

async function sendOne(
  { store, machine, send }: WatchDeps,
  message: DueMessage,
  channel: OpenChannel | undefined,
): Promise<void> {
  // Removed meanwhile, and its messages with it.
  if (channel === undefined) return;
  const outcome = await send(channel.target, message);
  const at = machine.now();
  const isLast = outcome.kind === 'failed' && outcome.isLast === true;
  const next = isLast ? undefined : nextTryAt(message, at);
  await store.recordSend({ message, outcome, at, nextTryAt: next });
}

/** When a message that failed is tried again; undefined once it is too old. */
export function nextTryAt(
  { tries, createdAt }: Pick<DueMessage, 'tries' | 'createdAt'>,
  at: Date,
): Date | undefined {
  const next = addMs(at, Math.min(maxRetryMs, firstRetryMs * 2 ** (tries - 1)));
  return next.getTime() - createdAt.getTime() > givenUpAfterMs ? undefined : next;
}
