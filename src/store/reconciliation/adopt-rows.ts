import type { ListedCharge } from '../../recovery/psp-ports.ts';
import type {
  AdoptablePayment,
  Reconciliation,
  ReconciliationStore,
} from '../../recovery/reconciliation/reconciliation-ports.ts';
import type { Queryable, Statement } from '../database.ts';

const adoptable: Statement = {
  name: 'find_adoptable_payments',
  text: `
    select p.invoice_id,
           array(
             select unnest(p.payment_method_ids)
             union
             select m.payment_method_id from payment_methods m
             where m.merchant_id = p.merchant_id and m.customer_id = p.customer_id
           ) as method_ids,
           coalesce((
             select json_object_agg(d.payment_method_id, d.n) from (
               select t.payment_method_id, count(*) as n
               from recorded_attempts a join psp_transactions t using (merchant_id, attempt_id)
               where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
                 and t.state = 'declined'
               group by 1
             ) d), '{}') as declines
    from payments p
    where p.merchant_id = $1 and p.invoice_id > $2 and p.psp = $3 and p.state <> 'recovered'
    order by p.invoice_id limit $4`,
};

export async function findAdoptable(
  db: Queryable,
  run: Reconciliation,
  limit: number,
): Promise<{ readonly payments: readonly AdoptablePayment[]; readonly place?: readonly string[] }> {
  const rows = await db.query<{
    invoice_id: string;
    method_ids: readonly string[];
    declines: Readonly<Record<string, number>>;
  }>(adoptable, [run.merchantId, run.place[0] ?? '', run.psp, limit]);
  const payments = rows.map((row) => ({
    invoiceId: row.invoice_id,
    methodIds: row.method_ids,
    declines: row.declines,
  }));
  const last = rows.at(-1);
  return rows.length < limit || last === undefined
    ? { payments }
    : { payments, place: [last.invoice_id] };
}

const missing: Statement = {
  name: 'find_missing_charges',
  text: `
    select missing from reconciliation_charges
    where merchant_id = $1 and run_id = $2 and charge = any($3) and missing is not null`,
};

/**
 * Not those that are on record by now: a process that ended between an answer and its note leaves them, and a
 * webhook may bring one as well. Further charges of a key, whose row has its own id too, are always left.
 */
const left: Statement = {
  name: 'list_missing_charges',
  text: `
    select charge, missing from reconciliation_charges c
    where merchant_id = $1 and run_id = $2 and charge > $3 and missing is not null
      and not exists (select from psp_transactions t
                      where t.merchant_id = $1 and t.idempotency_key = c.charge
                        and t.state = c.missing ->> 'state')
    order by charge limit $4`,
};

const found: Statement = {
  name: 'found_missing_charge',
  text: `
    update reconciliation_charges set missing = null
    where merchant_id = $1 and run_id = $2 and charge = $3`,
};

interface MissingRow {
  readonly missing: ListedCharge & { readonly createdAt: string };
}

const toListed = ({ missing }: MissingRow): ListedCharge => ({
  ...missing,
  createdAt: new Date(missing.createdAt),
});

export async function findMissing(
  db: Queryable,
  run: Reconciliation,
  keys: readonly string[],
): Promise<readonly ListedCharge[]> {
  return (await db.query<MissingRow>(missing, [run.merchantId, run.runId, keys])).map(toListed);
}

export async function listMissing(
  db: Queryable,
  run: Reconciliation,
  limit: number,
): Promise<{ readonly charges: readonly ListedCharge[]; readonly place?: readonly string[] }> {
  const values = [run.merchantId, run.runId, run.place[0] ?? '', limit];
  const rows = await db.query<MissingRow & { readonly charge: string }>(left, values);
  const charges = rows.map(toListed);
  const last = rows.at(-1);
  return rows.length < limit || last === undefined
    ? { charges }
    : { charges, place: [last.charge] };
}

export async function foundMissing(db: Queryable, run: Reconciliation, key: string): Promise<void> {
  await db.query(found, [run.merchantId, run.runId, key]);
}

/** As a charge that was found never made: what is told of it then is recorded as any late answer. */
const adopt: Statement = {
  name: 'adopt_charge',
  text: `
    with next as materialized (
      select coalesce(max(a.number), 0) + 1 as number
      from recorded_attempts a
      where a.merchant_id = $1 and a.invoice_id = $3
        and not exists (select from psp_transactions t
                        where t.merchant_id = $1 and t.idempotency_key = $8)
      having not exists (select from psp_transactions t
                         where t.merchant_id = $1 and t.idempotency_key = $8)
    ),
    attempt as (
      insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer,
        amount_minor, currency, started_at, ended_at)
      select $1, $2, $3, number, 'not_attempted',
             '{"retry": true, "reason": "charged before the backup was restored"}', $4, $5, $6,
             greatest($6::timestamptz, $7::timestamptz)
      from next
      returning attempt_id
    ),
    charge as (
      insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp,
        connection_version, state, idempotency_key, payment_method_id, amount_minor, currency, reason,
        sent_at, settled_at)
      select $1, attempt_id, 1, $3, $9, $10, 'not_made', $8, $11, $4, $5,
             'charged before the backup was restored', $6, greatest($6::timestamptz, $7::timestamptz)
      from attempt
    )
    select 1`,
};

export const adoptCharge =
  (db: Queryable): ReconciliationStore['adopt'] =>
  async (run, { charge, attemptId, invoiceId, paymentMethodId, at }) => {
    await db.query(adopt, [
      run.merchantId,
      attemptId,
      invoiceId,
      charge.amountMinor,
      charge.currency,
      charge.createdAt,
      at,
      charge.idempotencyKey,
      run.psp,
      run.connectionVersion,
      paymentMethodId,
    ]);
  };
