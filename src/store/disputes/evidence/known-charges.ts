import type { KnownCharge } from '../../../disputes/evidence/evidence-ports.ts';
import { present } from '../../../domain/present.ts';
import type { Psp } from '../../../domain/psps.ts';
import type { Queryable, Statement } from '../../database.ts';

/**
 * Charges that went through, reported ones and Recoup's own, with their cards and whether any was
 * ever disputed. $1 is the merchant; `t` a transaction of either kind, `p` its payment.
 */
function chargesOf(input: {
  readonly before?: string;
  readonly reported: string;
  readonly own: string;
  readonly order: string;
  readonly max: number;
}): string {
  const { before = '', reported, own, order, max } = input;
  return `${before}
    select c.*, m.fingerprint, d.is_disputed, d.has_fraud_report
    from (
      select t.psp_transaction_id as id, t.transaction_id as other_id, t.psp, t.invoice_id,
             t.subscription_id, t.customer_id, t.payment_method_id, t.occurred_at as processed_at,
             t.amount_minor, t.currency, t.network_transaction_id,
             t.detail #>> '{subscription,product_id}' as product,
             t.detail #>> '{subscription,start_date}' as begun_at, false as is_retry
      from transactions t
      where t.merchant_id = $1 and t.success and ${reported}
      union all
      select t.psp_transaction_id, null, t.psp, t.invoice_id, p.subscription_id, p.customer_id,
             t.payment_method_id, t.sent_at, t.amount_minor, t.currency, t.network_transaction_id,
             null, null, true
      from payments p
      join psp_transactions t on t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
      where p.merchant_id = $1 and t.state = 'succeeded' and ${own}
      order by ${order}, id
      limit ${max}
    ) c
    left join payment_methods m
      on m.merchant_id = $1 and m.payment_method_id = c.payment_method_id
    cross join lateral (
      select coalesce(bool_or(d.kind = 'dispute'), false) as is_disputed,
             coalesce(bool_or(d.kind = 'fraud_warning'), false) as has_fraud_report
      from disputes d
      where d.merchant_id = $1 and d.payment_ids && array[c.id, c.other_id]
    ) d
    order by ${order}, id`;
}

/** $2 names of the payment, $3 the PSP, $4 the key of a charge of ours. */
const ofDispute: Statement = {
  name: 'find_evidence_charge',
  text: chargesOf({
    reported: 't.psp_transaction_id = any ($2::text[]) and t.psp = $3',
    own: `t.psp = $3 and (t.psp_transaction_id = any ($2::text[])
      or (t.idempotency_key = $4 and t.state <> 'not_made'))`,
    order: 'processed_at',
    max: 10,
  }),
};

/** Of one card: $2 the method, $3 the fingerprint, $4 the customer; between $5 and $6. */
const ofCard: Statement = {
  name: 'find_evidence_priors',
  text: chargesOf({
    before: `
    with cards as (
      select payment_method_id, customer_id from payment_methods
      where merchant_id = $1 and (payment_method_id = $2 or fingerprint = $3)
      union
      select $2, $4
    )`,
    reported: `t.customer_id in (select customer_id from cards)
        and t.payment_method_id in (select payment_method_id from cards)
        and t.occurred_at >= $5 and t.occurred_at < $6`,
    own: `p.customer_id in (select customer_id from cards)
        and t.payment_method_id in (select payment_method_id from cards)
        and t.sent_at >= $5 and t.sent_at < $6`,
    order: 'processed_at desc',
    max: 100,
  }),
};

/** $2 subscriptions, $3 customers; until $4. */
const ofSubscriptions: Statement = {
  name: 'find_evidence_renewals',
  text: chargesOf({
    reported: 't.subscription_id = any ($2::text[]) and t.occurred_at <= $4',
    own: `p.customer_id = any ($3::text[]) and p.subscription_id = any ($2::text[])
        and t.sent_at <= $4`,
    order: 'processed_at',
    max: 500,
  }),
};

/** On a card whose first digits are $2: the longer of two BINs begins with the shorter one. */
const isOfBin = `exists (
          select from payment_methods b
          where b.merchant_id = $1 and b.payment_method_id = t.payment_method_id
            and length(b.bin) >= 6 and (starts_with(b.bin, $2) or starts_with($2, b.bin)))`;

/** Of an amount in a time: $3 minor units of $4, between $5 and $6. */
const ofOrder: Statement = {
  name: 'find_order_charges',
  text: chargesOf({
    reported: `t.amount_minor = $3 and t.currency = $4
        and t.occurred_at >= $5 and t.occurred_at < $6 and ${isOfBin}`,
    own: `t.merchant_id = $1 and t.amount_minor = $3 and t.currency = $4
        and t.sent_at >= $5 and t.sent_at < $6 and ${isOfBin}`,
    order: 'processed_at',
    max: 20,
  }),
};

interface ChargeRow {
  readonly id: string;
  readonly other_id: string | null;
  readonly psp: Psp;
  readonly invoice_id: string;
  readonly subscription_id: string | null;
  readonly customer_id: string;
  readonly payment_method_id: string;
  readonly fingerprint: string | null;
  readonly processed_at: Date;
  readonly amount_minor: number;
  readonly currency: string;
  readonly network_transaction_id: string | null;
  readonly product: string | null;
  /** As its report told it. */
  readonly begun_at: string | null;
  readonly is_retry: boolean;
  readonly is_disputed: boolean;
  readonly has_fraud_report: boolean;
}

export async function findKnownCharge(
  db: Queryable,
  input: { merchantId: string; psp: Psp; paymentIds: readonly string[]; idempotencyKey?: string },
): Promise<KnownCharge | undefined> {
  const { merchantId, psp, paymentIds, idempotencyKey } = input;
  return (await find(db, ofDispute, [merchantId, paymentIds, psp, idempotencyKey]))[0];
}

/** The charges of a card in a time, the newest first. */
export function findCardCharges(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly paymentMethodId?: string | undefined;
    readonly fingerprint?: string | undefined;
    readonly customerId?: string | undefined;
    readonly from: Date;
    readonly until: Date;
  },
): Promise<readonly KnownCharge[]> {
  const { merchantId, paymentMethodId, fingerprint, customerId, from, until } = input;
  const values = [merchantId, paymentMethodId, fingerprint, customerId, from, until];
  return find(db, ofCard, values);
}

/** The charges of subscriptions, the first one first. */
export async function findRenewals(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly subscriptionIds: readonly string[];
    readonly customerIds: readonly string[];
    readonly until: Date;
  },
): Promise<readonly KnownCharge[]> {
  const { merchantId, subscriptionIds, customerIds, until } = input;
  if (subscriptionIds.length === 0) return [];
  return find(db, ofSubscriptions, [merchantId, subscriptionIds, customerIds, until]);
}

/** The charges that a bank may mean: some, where there are many. */
export function findOrderCharges(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly cardBin: string;
    readonly money: KnownCharge['money'];
    readonly from: Date;
    readonly until: Date;
  },
): Promise<readonly KnownCharge[]> {
  const { merchantId, cardBin, money, from, until } = input;
  const { amountMinor, currency } = money;
  return find(db, ofOrder, [merchantId, cardBin, amountMinor, currency, from, until]);
}

/** A charge of ours is often reported by its PSP too: it is one charge, and a retry. */
async function find(
  db: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly KnownCharge[]> {
  const byId = new Map<string, KnownCharge>();
  for (const row of await db.query<ChargeRow>(statement, values)) {
    const charge = toCharge(row);
    const known = byId.get(charge.id);
    if (known === undefined) byId.set(charge.id, charge);
    else {
      const [reported, own] = charge.isRetry ? [known, charge] : [charge, known];
      byId.set(charge.id, { ...own, ...reported, isRetry: own.isRetry });
    }
  }
  return [...byId.values()];
}

function toCharge(row: ChargeRow): KnownCharge {
  return {
    id: row.id,
    psp: row.psp,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    paymentMethodId: row.payment_method_id,
    credential: row.fingerprint ?? row.payment_method_id,
    processedAt: row.processed_at,
    money: { amountMinor: row.amount_minor, currency: row.currency },
    isRetry: row.is_retry,
    isDisputed: row.is_disputed,
    hasFraudReport: row.has_fraud_report,
    ...present({
      otherId: row.other_id ?? undefined,
      subscriptionId: row.subscription_id ?? undefined,
      networkTransactionId: row.network_transaction_id ?? undefined,
      product: row.product ?? undefined,
      subscriptionBegunAt: row.begun_at === null ? undefined : new Date(row.begun_at),
    }),
  };
}
