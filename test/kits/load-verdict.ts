import { createHash } from 'node:crypto';
import type { SandboxCharge } from '../../src/psp/sandbox/server/charge.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { findFaults } from './engine-faults.ts';
import type { FakeWebhook } from './fake-merchant.ts';
import type { LoadRecord } from './random-load.ts';
import { type Caller, expectStatus } from './service-calls.ts';

export interface Evidence {
  /** What was sent, and what was promised. */
  readonly load: LoadRecord;
  /** The recovery API, for asking what became of it. */
  readonly api: Caller;
  readonly connectionString: string;
  /** The cell that has the record. */
  readonly schema?: string;
  /** The PSP's own record. */
  readonly ledger: readonly SandboxCharge[];
  /** Everything that arrived at the merchant's webhook, and whether it was acknowledged. */
  readonly webhooks: readonly FakeWebhook[];
}

/**
 * Every promise that was broken, in words, once nothing is due any more: by what the merchant sent
 * and got, by what the PSP holds, and by the service's record.
 */
export async function judge(evidence: Evidence): Promise<readonly string[]> {
  const db = openDatabase(
    { log: { warn: () => {} } },
    { connectionString: evidence.connectionString, schema: evidence.schema, poolSize: 2 },
  );
  try {
    return [
      ...evidence.load.surprises.map((surprise) => `unexpected answer ${surprise}`),
      ...(await requestFaults(db, evidence)),
      ...(await paymentFaults(db, evidence)),
      ...(await findFaults(db, async () => evidence.ledger)),
      ...(await attemptFaults(db, evidence)),
      ...(await webhookFaults(db, evidence)),
    ];
  } finally {
    await db.close();
  }
}

/** An acknowledged request is in the log, once, and applied. */
async function requestFaults(db: Database, { load, api }: Evidence): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { key, requestId } of load.intakes) {
    if (requestId === undefined) {
      faults.push(`${key} was never acknowledged`);
      continue;
    }
    const answer = await api.get(`/recover/requests/${requestId}`);
    if (answer.json?.status !== 'applied') faults.push(`${key} is ${answer.text}`);
  }
  const { rows } = await db.pool.query<{ kept: number }>(
    `select count(*)::int as kept from requests`,
  );
  const kept = rows[0]?.kept;
  if (kept !== load.intakes.length) {
    faults.push(`${load.intakes.length} requests were sent, ${kept} are in the log`);
  }
  return faults;
}

/** A reported payment has come to its end; nothing was charged after its stop was acknowledged. */
async function paymentFaults(db: Database, evidence: Evidence): Promise<readonly string[]> {
  const { load, ledger, api } = evidence;
  const faults: string[] = [];
  for (const state of ['scheduled', 'attempting']) {
    const page = await expectStatus(api.get(`/recover/payments?status=${state}`), 200);
    if (page.payments.length > 0) faults.push(`payments are still ${state}`);
  }
  const { rows } = await db.pool.query<{ id: string; state: string }>(
    `select invoice_id as id, state from payments`,
  );
  const states = new Map(rows.map((row) => [row.id, row.state]));
  for (const id of load.invoiceIds) {
    if (!states.has(id)) faults.push(`${id} is lost`);
  }
  for (const [id, stoppedAtMs] of load.stoppedAtMs) {
    if (states.get(id) !== 'stopped') faults.push(`${id} was stopped and is ${states.get(id)}`);
    const late = ledger.some(
      (charge) => charge.invoice === id && Date.parse(charge.created_at) > stoppedAtMs,
    );
    if (late) faults.push(`${id} was charged after its stop`);
  }
  return faults;
}

interface EventRow {
  readonly event_id: string;
  readonly attempt_id: string | null;
  readonly body: string;
  readonly state: string;
}

async function eventsOf(db: Database): Promise<readonly EventRow[]> {
  const { rows } = await db.pool.query<EventRow>(
    `select event_id, attempt_id, body, d.state
     from events e left join deliveries d using (merchant_id, event_id)`,
  );
  return rows;
}

/** Whose charge each key is: of those that were never made, another attempt's may have the same one. */
async function attemptsByKey(db: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.pool.query<{ key: string; attempt: string }>(
    `select idempotency_key as key, attempt_id as attempt from psp_transactions
     where state <> 'not_made'`,
  );
  return new Map(rows.map((row) => [row.key, row.attempt]));
}

/** Each charge that reached the PSP is told of in exactly one event, that of its attempt. */
async function attemptFaults(db: Database, { ledger }: Evidence): Promise<readonly string[]> {
  const told = new Map<string, { attempt: string | null; success: boolean }[]>();
  for (const event of await eventsOf(db)) {
    const { psp_transactions: transactions = [] } = JSON.parse(event.body);
    for (const { psp_transaction_id: id, success } of transactions) {
      told.set(id, [...(told.get(id) ?? []), { attempt: event.attempt_id, success }]);
    }
  }
  const attemptOf = await attemptsByKey(db);
  const faults: string[] = [];
  for (const charge of ledger) {
    const attempt = attemptOf.get(charge.idempotency_key);
    const [mention, ...more] = told.get(charge.id) ?? [];
    const fits =
      attempt !== undefined &&
      mention?.attempt === attempt &&
      mention.success === (charge.status === 'succeeded');
    if (!fits || more.length > 0) faults.push(`${charge.id} is not told of exactly once`);
    told.delete(charge.id);
  }
  for (const id of told.keys()) faults.push(`${id} is told of, and unknown to the PSP`);
  return faults;
}

/** Every event arrived, as it was recorded, under its own id; and nothing else did. */
async function webhookFaults(db: Database, { webhooks }: Evidence): Promise<readonly string[]> {
  const faults: string[] = [];
  const arrived = Map.groupBy(webhooks, (webhook) => webhook.deduplicationId);
  for (const event of await eventsOf(db)) {
    const id = createHash('md5').update(event.event_id).digest('hex');
    const sends = arrived.get(id) ?? [];
    arrived.delete(id);
    if (event.state !== 'delivered') faults.push(`${event.event_id} is ${event.state}`);
    if (sends.length === 0) faults.push(`${event.event_id} never arrived`);
    const body = Buffer.from(event.body);
    if (!sends.every((send) => send.isSigned && send.rawBody.equals(body))) {
      faults.push(`${event.event_id} arrived otherwise than it was recorded`);
    }
  }
  for (const id of arrived.keys()) faults.push(`${id} arrived and is in no record`);
  return faults;
}
