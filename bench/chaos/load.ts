import { setTimeout as sleep } from 'node:timers/promises';
import { failedEvent } from '../../test/kits/billing-events.ts';
import type { Seeded } from '../../test/kits/seeded.ts';
import type { Fleet } from './fleet.ts';

const dayMs = 86_400_000;
const clients = 6;

const methods = {
  success: 55,
  decline_51: 15,
  lost_success: 6,
  lost_decline: 4,
  success_after_2: 16,
  unavailable: 2,
  decline_54: 2,
} as const;

export interface Load {
  /** Invoices whose report was acknowledged, with the id of the request. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Tries of reports that were not answered. */
  readonly unanswered: number;
}

/**
 * Reports payments, evenly over the time, each again and again until it is acknowledged. Their first
 * try is due at once, or some seconds later.
 */
export async function sendLoad(
  random: Seeded,
  input: {
    readonly fleet: Fleet;
    readonly apiKey: string;
    readonly payments: number;
    readonly overMs: number;
    readonly acknowledged: Map<string, string>;
  },
): Promise<Load> {
  const { fleet, apiKey, payments, overMs, acknowledged } = input;
  const startedMs = performance.now();
  let next = 0;
  let unanswered = 0;

  async function send(index: number): Promise<void> {
    const id = `inv_${index}`;
    const body = JSON.stringify(report(random, id));
    for (;;) {
      const up = fleet.members.filter((member) => member.urls?.recovery);
      const member = up[random.int(0, Math.max(0, up.length - 1))];
      const answer = await fetch(`${member?.urls?.recovery}/recover/payments`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': id },
        body,
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
      if (answer?.status === 200) {
        const { request_id: requestId } = (await answer.json()) as { request_id: string };
        acknowledged.set(id, requestId);
        return;
      }
      await answer?.body?.cancel();
      unanswered += 1;
      await sleep(100);
    }
  }

  async function client(): Promise<void> {
    while (next < payments) {
      const index = next;
      next += 1;
      const dueMs = startedMs + (index / payments) * overMs;
      await sleep(Math.max(0, dueMs - performance.now()));
      await send(index);
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return { acknowledged, unanswered };
}

/** Failed a day ago: its first try is due now. */
function report(random: Seeded, invoiceId: string): object {
  return failedEvent({
    invoiceId,
    customerId: `cus_${invoiceId}`,
    methods: [`pm_sandbox_${random.weighted(methods)}--${invoiceId}`],
    at: new Date(Date.now() - dayMs + random.int(0, 15_000)),
  });
}
