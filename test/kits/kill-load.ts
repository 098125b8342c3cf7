import { setTimeout as pause } from 'node:timers/promises';
import { failedEvent, paidEvent } from './billing-events.ts';
import type { CallAnswer, Caller } from './service-calls.ts';

/** What the load was promised: every receipt of an answered request, and every confirmed stop. */
export interface Promises {
  readonly receipts: string[];
  readonly stopped: string[];
}

export interface KillLoad {
  readonly promises: Promises;
  /** Sends nothing more; resolves when every caller has ended. */
  stop(): Promise<void>;
}

/** How the methods of a payment end: each way that a charge can go, and two of them in a row. */
const outcomes: readonly (readonly string[])[] = [
  ['pm_sandbox_success'],
  ['pm_sandbox_success'],
  ['pm_sandbox_decline_51'],
  ['pm_sandbox_decline_54', 'pm_sandbox_success'],
  ['pm_sandbox_lost_success'],
  ['pm_sandbox_lost_decline'],
  ['pm_sandbox_decline_51', 'pm_sandbox_lost_success'],
  ['pm_sandbox_unavailable'],
];

const callers = 24;
/** Payments in all: the load ends by itself, whatever the test does. */
const paymentsMost = 6_000;
const whileDownMs = 20;

/**
 * Merchants' traffic for a service that is killed under it: failed payments that are retried at
 * once, paid ones, updates and stops. A call that finds nobody is made again a moment later.
 */
export function startKillLoad(api: () => Caller, random: () => number): KillLoad {
  const promises: Promises = { receipts: [], stopped: [] };
  let isStopped = false;
  let payments = 0;

  async function tell(path: string, body?: unknown): Promise<CallAnswer | undefined> {
    try {
      const answer = await api().post(path, body);
      if (answer.status === 200 && typeof answer.json?.request_id === 'string') {
        promises.receipts.push(answer.json.request_id);
      }
      if (answer.status >= 500) await pause(whileDownMs);
      return answer;
    } catch {
      // Nobody is there, or the connection broke: what was not answered was not promised.
      await pause(whileDownMs);
      return undefined;
    }
  }

  async function onePayment(invoiceId: string): Promise<void> {
    const methods = outcomes[Math.floor(random() * outcomes.length)] ?? [];
    const customerId = `cus_${Math.floor(random() * 200)}`;
    const event = { invoiceId, customerId, at: new Date() };
    const reported = await tell('/recover/payments', failedEvent({ ...event, methods }));
    if (reported?.status !== 200) return;
    const path = `/recover/payments/${invoiceId}`;
    await tell(`${path}/retry`);
    const dice = random();
    if (dice < 0.1) {
      const stop = await tell(`${path}/stop`, { reason: 'Asked by the test' });
      if (stop?.status === 200) promises.stopped.push(invoiceId);
    } else if (dice < 0.2) {
      await tell('/recover/payments', paidEvent(event));
    } else if (dice < 0.3) {
      await tell('/recover/payment_method_updates', {
        customer_id: customerId,
        payment_method_id: 'pm_sandbox_success--new',
        reason: 'user_added',
      });
    }
  }

  async function call(): Promise<void> {
    while (!isStopped && payments < paymentsMost) {
      payments += 1;
      await onePayment(`in_${payments}`);
    }
  }

  const ended = Promise.all(Array.from({ length: callers }, call));
  return {
    promises,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

/** Numbers from 0 to 1 that a seed gives again: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
