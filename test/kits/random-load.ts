import { failedEvent, paidEvent } from './billing-events.ts';
import type { Seeded } from './seeded.ts';
import type { CallAnswer, Caller } from './service-calls.ts';

/** One request that the service has to keep once it said so. */
export interface Intake {
  readonly path: string;
  readonly body: object;
  /** Sent with every try of it, so that it counts once. */
  readonly key: string;
  /** From its acknowledgement. */
  requestId?: string;
}

/** What a load has sent, and what was promised to it. */
export interface LoadRecord {
  readonly intakes: readonly Intake[];
  /** Invoices whose failed payment was acknowledged. */
  readonly invoiceIds: readonly string[];
  /** When the stop of an invoice was acknowledged, by the machine's clock. */
  readonly stoppedAtMs: ReadonlyMap<string, number>;
  /** Answers that nothing here may lead to. */
  readonly surprises: readonly string[];
  /** How many requests were answered 200. */
  readonly acknowledged: number;
}

export interface RandomLoad extends LoadRecord {
  /** Sends requests, several at a time, until `isOver`; `onAnswer` hears of each answer. `mayGoOn` holds the next one back. */
  run(
    api: Caller,
    input: { isOver: () => boolean; onAnswer: () => void; mayGoOn?: () => Promise<void> },
  ): Promise<void>;
  /** Sends again what was not acknowledged, until all is. */
  sendRest(api: Caller): Promise<void>;
}

const clients = 8;

/** What the sandbox PSP makes of each: all its outcomes, those that lose an answer most of all. */
const methods = {
  success: 30,
  decline_51: 12,
  lost_success: 18,
  lost_decline: 12,
  success_after_2: 10,
  unavailable: 1,
  decline_41: 3,
  decline_54: 4,
  decline_51_mac_25: 3,
} as const;

/** Random requests of a merchant: reports, retries, updates, stops, payments made elsewhere. */
export function createRandomLoad(
  random: Seeded,
  merchantName: string,
  options: { readonly mayAnswer?: readonly number[] } = {},
): RandomLoad {
  const intakes: Intake[] = [];
  const invoiceIds: string[] = [];
  const stoppedAtMs = new Map<string, number>();
  const surprises: string[] = [];
  // One moment for all failures, so that their later retries fall due together and are soon done.
  const failedAt = new Date();
  let count = 0;
  let acknowledged = 0;

  /** Undefined when no whole answer came; the service was killed, or its database. */
  async function send(sent: () => Promise<CallAnswer>, expected: readonly number[]) {
    const answer = await sent().catch(() => undefined);
    if (answer === undefined) return undefined;
    if (answer.status === 200) acknowledged += 1;
    if (![200, 500, ...expected, ...(options.mayAnswer ?? [])].includes(answer.status)) {
      surprises.push(`${answer.status} ${answer.text}`);
    }
    return answer;
  }

  async function sendIntake(api: Caller, intake: Intake): Promise<boolean> {
    const headers = { 'idempotency-key': intake.key };
    // 409: the first try of it is still under way.
    const answer = await send(() => api.post(intake.path, intake.body, headers), [409]);
    if (answer?.status !== 200) return false;
    intake.requestId = answer.json.request_id;
    return true;
  }

  async function ingest(api: Caller, path: string, body: object): Promise<boolean> {
    count += 1;
    const intake = { path, body, key: `${merchantName}-${count}` };
    intakes.push(intake);
    return sendIntake(api, intake);
  }

  function method(): string {
    // A name of its own for each: a method belongs to one customer.
    count += 1;
    return `pm_sandbox_${random.weighted(methods)}--${count}`;
  }

  const some = (): string => random.pick(invoiceIds as [string, ...string[]]);
  const retry = (api: Caller, invoiceId: string) =>
    send(() => api.post(`/recover/payments/${invoiceId}/retry`), [409]);

  async function report(api: Caller): Promise<void> {
    count += 1;
    const invoiceId = `in_${merchantName}_${count}`;
    const event = failedEvent({
      invoiceId,
      customerId: `cus_of_${invoiceId}`,
      methods: random.chance(0.3) ? [method(), method()] : [method()],
      at: failedAt,
    });
    if (!(await ingest(api, '/recover/payments', event))) return;
    invoiceIds.push(invoiceId);
    await retry(api, invoiceId);
  }

  async function step(api: Caller): Promise<void> {
    if (invoiceIds.length === 0) return report(api);
    switch (random.weighted({ report: 45, retry: 15, update: 20, stop: 12, paid: 5, look: 3 })) {
      case 'report':
        return report(api);
      case 'retry':
        await retry(api, some());
        return;
      case 'update': {
        const reason = random.pick(['user_added', 'user_updated', 'user_removed']);
        const customer_id = `cus_of_${some()}`;
        const body = { customer_id, payment_method_id: method(), reason };
        await ingest(api, '/recover/payment_method_updates', body);
        return;
      }
      case 'stop': {
        const invoiceId = some();
        const answer = await send(() => api.post(`/recover/payments/${invoiceId}/stop`), [409]);
        if (answer?.status === 200) stoppedAtMs.set(invoiceId, Date.now());
        return;
      }
      case 'paid': {
        const event = paidEvent({ invoiceId: some(), methods: [method()], at: failedAt });
        await ingest(api, '/recover/payments', event);
        return;
      }
      case 'look':
        await send(() => api.get(`/recover/payments/${some()}`), []);
    }
  }

  return {
    intakes,
    invoiceIds,
    stoppedAtMs,
    surprises,
    get acknowledged() {
      return acknowledged;
    },
    async run(api, { isOver, onAnswer, mayGoOn }) {
      const client = async (): Promise<void> => {
        while (!isOver()) {
          await step(api);
          onAnswer();
          await mayGoOn?.();
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
    },
    async sendRest(api) {
      for (const intake of intakes) {
        if (intake.requestId !== undefined) continue;
        if (!(await sendIntake(api, intake))) throw new Error(`${intake.key} is not taken`);
      }
    },
  };
}
