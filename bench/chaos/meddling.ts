import { setTimeout as sleep } from 'node:timers/promises';
import type { Seeded } from '../../test/kits/seeded.ts';

/** What people do to payments and merchants while the engine works. */
const actions = {
  stop: 20,
  retry: 20,
  replay: 15,
  pause_webhooks: 8,
  change_policy: 8,
  add_method: 15,
  remove_method: 10,
} as const;
type Action = keyof typeof actions;

export interface Meddling {
  /** How often each was taken. */
  readonly done: Readonly<Record<Action, number>>;
  /** Invoices whose stop was acknowledged, with the time of that answer. */
  readonly stopped: ReadonlyMap<string, number>;
  end(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** A call to the service; undefined where no answer came. */
export type MeddlingCall = (
  method: string,
  path: string,
  body?: object,
) => Promise<Answer | undefined>;

interface MeddlingInput {
  readonly operator: MeddlingCall;
  readonly merchant: MeddlingCall;
  readonly merchantId: string;
  /** The invoices that were reported so far, in order. */
  readonly reported: () => readonly string[];
}

const policies: readonly [object, ...object[]] = [
  { kind: 'fixed', fixed_days: [1, 2, 4], window_days: 7, max_attempts: 4 },
  { kind: 'fixed', fixed_days: [1, 3], window_days: 5, max_attempts: 3 },
  { kind: 'even', window_days: 14, max_attempts: 6 },
];

/** One of the last reports: what is done to it races with its first try. */
const newest = 40;

export function startMeddling(random: Seeded, input: MeddlingInput): Meddling {
  const { operator, merchant, merchantId, reported } = input;
  const done: Record<Action, number> = {
    stop: 0,
    retry: 0,
    replay: 0,
    pause_webhooks: 0,
    change_policy: 0,
    add_method: 0,
    remove_method: 0,
  };
  const stopped = new Map<string, number>();
  const own = `/api/merchants/${merchantId}`;
  let isOver = false;

  async function act(name: Action, invoiceId: string): Promise<Answer | undefined> {
    const methods = '/recover/payment_method_updates';
    const customer = { customer_id: `cus_${invoiceId}` };
    switch (name) {
      case 'stop': {
        const answer = random.chance(0.5)
          ? await operator('POST', `${own}/payments/${invoiceId}/stop`, { reason: 'meddling' })
          : await merchant('POST', `/recover/payments/${invoiceId}/stop`, { reason: 'meddling' });
        if (answer?.status === 200) stopped.set(invoiceId, stopped.get(invoiceId) ?? Date.now());
        return answer;
      }
      case 'retry':
        return random.chance(0.5)
          ? operator('POST', `${own}/payments/${invoiceId}/retry`)
          : merchant('POST', `/recover/payments/${invoiceId}/retry`);
      case 'replay':
        return replay();
      case 'pause_webhooks': {
        const answer = await operator('POST', `${own}/webhook-endpoints/primary/pause`);
        await sleep(random.int(0, 3_000));
        await resume();
        return answer;
      }
      case 'change_policy':
        return operator('PATCH', own, { policy: random.pick(policies) });
      case 'add_method':
        return merchant('POST', methods, {
          ...customer,
          payment_method_id: `pm_sandbox_success--${invoiceId}_new`,
          reason: 'user_added',
        });
      case 'remove_method':
        return merchant('POST', methods, {
          ...customer,
          payment_method_id: `pm_sandbox_success--${invoiceId}_new`,
          reason: 'user_removed',
        });
    }
  }

  /** Whoever has it now is asked until one does it: nothing is to stay paused. */
  async function resume(): Promise<void> {
    const path = `${own}/webhook-endpoints/primary/resume`;
    while (((await operator('POST', path))?.status ?? 500) >= 300) await sleep(200);
  }

  async function replay(): Promise<Answer | undefined> {
    const page = await operator('GET', `${own}/deliveries?limit=5`);
    const { items = [] } = (page?.json ?? {}) as { items?: { event_id: string }[] };
    for (const { event_id: id } of items) await operator('POST', `${own}/deliveries/${id}/replay`);
    return page;
  }

  async function loop(): Promise<void> {
    while (!isOver) {
      const invoiceId = reported().at(-random.int(1, newest));
      if (invoiceId !== undefined) {
        const name = random.weighted(actions);
        const answer = await act(name, invoiceId);
        if (answer !== undefined && answer.status < 300) done[name] += 1;
      }
      await sleep(random.int(50, 500));
    }
  }

  const loops = Array.from({ length: 3 }, loop);
  return {
    done,
    stopped,
    async end() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
