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
    where merchant_id = $1 and run_id = $2 and charge = any($3)`,
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

export async function foundMissing(
  db: Queryable,
  run: Reconciliation,
  keys: readonly string[],
): Promise<void> {
  await db.query(found, [run.merchantId, run.runId, keys]);
}

/** As charges that were found never made: what is told of them then is recorded as any late answer. */
const adopt: Statement = {
  name: 'adopt_charges',
  text: `
    with listed as (
      select * from rows from (
        json_to_recordset($2::json) as (attempt_id text, invoice_id text, idempotency_key text,
          payment_method_id text, amount_minor bigint, currency text, sent_at timestamptz)
      ) with ordinality as l (attempt_id, invoice_id, idempotency_key, payment_method_id, amount_minor, currency,
        sent_at, position)
    ),
    adopted as materialized (
      select l.*, coalesce((select max(a.number) from recorded_attempts a
                            where a.merchant_id = $1 and a.invoice_id = l.invoice_id), 0)
               + row_number() over (partition by l.invoice_id order by l.position) as number
      from listed l
      where not exists (select from psp_transactions t
                        where t.merchant_id = $1 and t.idempotency_key = l.idempotency_key)
    ),
    attempt as (
      insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer,
        amount_minor, currency, started_at, ended_at)
      select $1, attempt_id, invoice_id, number, 'not_attempted',
             '{"retry": true, "reason": "charged before the backup was restored"}', amount_minor, currency,
             sent_at, greatest(sent_at, $3::timestamptz)
      from adopted
    ),
    charge as (
      insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp,
        connection_version, state, idempotency_key, payment_method_id, amount_minor, currency, reason,
        sent_at, settled_at)
      select $1, attempt_id, 1, invoice_id, $4, $5, 'not_made', idempotency_key, payment_method_id, amount_minor,
             currency, 'charged before the backup was restored', sent_at, greatest(sent_at, $3::timestamptz)
      from adopted
    )
    select 1`,
};

export async function adoptCharges(
  db: Queryable,
  run: Reconciliation,
  {
    charges,
    at,
  }: {
    readonly charges: Parameters<ReconciliationStore['adopt']>[1];
    readonly at: Date;
  },
): Promise<void> {
  const rows = charges.map((charge) => ({
    attempt_id: charge.attemptId,
    invoice_id: charge.invoiceId,
    idempotency_key: charge.idempotencyKey,
    payment_method_id: charge.paymentMethodId,
    amount_minor: charge.amountMinor,
    currency: charge.currency,
    sent_at: charge.createdAt,
  }));
  const values = [run.merchantId, JSON.stringify(rows), at, run.psp, run.connectionVersion];
  await db.query(adopt, values);
}
