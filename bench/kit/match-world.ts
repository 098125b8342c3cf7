import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ingestDispute } from '../../src/disputes/ingest-dispute.ts';
import type { DisputeFacts } from '../../src/domain/disputes/reported-dispute.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createDisputeStore } from '../../src/store/disputes/dispute-store.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { DatabaseCalls } from '../processes/database.ts';
import { startChild } from './child.ts';

const merchantId = 'mer_bench';
/** Checkouts of one customer, and charges of one subscription. */
const perCustomer = 4;
const perSubscription = 12;
const hourMs = 3_600_000;

export interface MatchWorld extends AsyncDisposable {
  readonly db: Database;
  /** A new dispute with these facts, as a webhook leaves it before it is matched. */
  dispute(
    id: string,
    facts: Partial<DisputeFacts>,
  ): Promise<NonNullable<Awaited<ReturnType<typeof ingestDispute>>>>;
}

/**
 * A durable database with so many analytics records, a third as many charges of subscriptions, and
 * their cards.
 */
export async function startMatchWorld(records: number): Promise<MatchWorld> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(startChild<DatabaseCalls>('database'));
  try {
    const { connectionString: seeding } = await database.call('start', {});
    const clock = { now: () => new Date() };
    await migrate({ connectionString: seeding, clock });
    await seed(seeding, records);
    const { connectionString } = await database.call('restart', undefined);
    const log = { warn: (text: string) => void process.stderr.write(`${text}\n`) };
    const db = openDatabase({ log }, { connectionString, poolSize: 4 });
    stack.defer(() => db.close());
    const disputes = createDisputeStore({ db });
    const owned = stack.move();
    return {
      db,
      async dispute(id, facts) {
        const deps = {
          clock,
          random: { bytes: (count: number) => randomBytes(count) },
          disputes,
          hashEmail: async () => '',
          wasAccepted: async () => false,
          stopRetries: async () => undefined,
        };
        const record = await ingestDispute(deps, {
          merchantId,
          psp: 'stripe',
          origin: 'psp',
          occurredAt: clock.now(),
          dispute: {
            ...{ kind: 'dispute', stage: 'chargeback', status: 'needs_response' },
            ...{ pspDisputeId: id, openedAt: clock.now(), paymentIds: [], ...facts },
          },
        });
        if (record === undefined) throw new Error('the dispute was not kept');
        return record;
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/**
 * What the database itself would hash an address to: any 32 bytes that are alike for a customer.
 */
export function emailIndexOf(customer: number): string {
  return customer.toString(16).padStart(64, '0');
}

/** How long ago the n-th analytics record came: they are spread over a year. */
export function capturedAt(n: number, records: number, now: Date): Date {
  return new Date(now.getTime() - ((records - n) * 365 * 24 * hourMs) / records);
}

async function seed(connectionString: string, records: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    for (const text of seeds) {
      const numbers = text.match(/\$\d/g) ?? [];
      const values = [records, perCustomer, perSubscription, merchantId];
      await client.query(text, values.slice(0, new Set(numbers).size));
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

const seeds: readonly string[] = [
  `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind, window_days,
     max_attempts, fixed_days, created_at, updated_at)
   values ('mer_bench', 'Bench', 'https://x/r', 'https://x/w', 'fixed', 28, 8, '{1}', now(), now())`,
  `insert into data_keys values ('mer_bench', 1, decode(repeat('ab', 60), 'hex'), now())`,
  `insert into analytics_index_keys
   values ('mer_bench', 1, 1, decode(repeat('ab', 60), 'hex'), now())`,
  `insert into analytics_subjects (merchant_id, subject_id, kind, subject_hash, key_version,
     sealed_key, created_at)
   select 'mer_bench', 'sub_' || n, 'customer', decode(lpad(to_hex(n), 64, '0'), 'hex'), 1,
     decode(repeat('ab', 60), 'hex'), now()
   from generate_series(0, $1::int / $2::int) n`,
  `insert into analytics (merchant_id, analytics_id, subject_id, state, psp, customer_id, invoice_id,
     subscription_id, charge_id, transaction_id, network_transaction_id, has_user_agent,
     has_public_ip, index_version, email_index, ip_index, sealed, captured_at)
   select 'mer_bench', 'ana_' || n, 'sub_' || n / $2::int, 'active', 'stripe',
     'cus_' || n / $2::int, 'in_' || n, case when n % 4 = 0 then 'sub_' || n end, 'ch_' || n,
     'pi_' || n, 'nti_' || n, true, true, 1,
     decode(lpad(to_hex(n / $2::int), 64, '0'), 'hex'), decode(lpad(to_hex(n), 64, '0'), 'hex'),
     decode(repeat(md5(n::text), 10), 'hex'),
     now() - make_interval(secs => ($1::int - n) * 365 * 86400.0 / $1::int)
   from generate_series(1, $1::int) n`,
  // The first charge of a subscription is that of an analytics record; its renewals have none.
  `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
     customer_id, subscription_id, payment_method_id, amount_minor, currency, success, occurred_at,
     detail, received_at)
   select 'mer_bench', 'inv_' || s || '_' || k, 'tra_' || s || '_' || k,
     case when k = 0 then 'ch_' || s else 'ch_' || s || '_' || k end, 'stripe', 'c_' || s,
     'sub_of_' || s, 'pm_' || s, 4900, 'EUR', true,
     now() - make_interval(days => 360 - 30 * k), '{}', now()
   from generate_series(1, $1::int, 36) s, generate_series(0, $3::int - 1) k
   where $2::int > 0`,
  `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp, state, fingerprint,
     fingerprint_at, created_at, updated_at)
   select $4, 'pm_' || s, 'c_' || s, 'stripe', 'active', 'fp_' || s, now(), now(), now()
   from generate_series(1, $1::int, 36) s where $2::int + $3::int > 0`,
];
