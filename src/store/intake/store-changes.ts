import type { Random } from '../../domain/random.ts';
import type {
  Added,
  InvoiceKey,
  ReportedChanges,
  SeenMethod,
} from '../../recovery/intake-ports.ts';
import {
  forgetSubscriptionCards,
  keepSubscriptionCards,
} from '../card-notices/subscription-cards.ts';
import { isPaymentDisputed } from '../cards/disputed.ts';
import { type LearnedCard, learnCards } from '../cards/learn-cards.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { adoptNames } from '../debts/adopt-names.ts';
import { moveHistory, successTakesPlace } from '../debts/move-history.ts';
import { nameInvoices } from '../debts/name-invoices.ts';
import { applyMethodUpdates } from './apply-method-updates.ts';
import { findEnded } from './find-ended.ts';
import { isPaidByAnotherName } from './paid-by-another-name.ts';
import { addReportedAttempts } from './reported-attempts.ts';

/**
 * A success takes the place of a failure of the same id: a PSP's intent keeps its id from try to try, and some merchants
 * write one word for every charge. That the invoice is paid is what counts.
 */
const addTransactions: Statement = {
  name: 'add_transactions',
  text: `
    insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
      customer_id, subscription_id, payment_method_id, amount_minor, currency, success,
      network_transaction_id, occurred_at, detail, received_at)
    select distinct on (1, 2, 4) t.* from json_to_recordset($1::json) as t (
      "merchantId" text, "invoiceId" text, "transactionId" text, "pspTransactionId" text, psp text,
      "customerId" text, "subscriptionId" text, "paymentMethodId" text, "amountMinor" bigint,
      currency text, success boolean, "networkTransactionId" text, "occurredAt" timestamptz,
      detail jsonb, "receivedAt" timestamptz)
    order by 1, 2, 4, t.success desc
    on conflict (merchant_id, invoice_id, psp_transaction_id) ${successTakesPlace}
    returning merchant_id, invoice_id, psp_transaction_id`,
};

/** A method that an event names keeps its state: only an update adds or removes one. */
const addMethods: Statement = {
  name: 'add_seen_methods',
  text: `
    insert into payment_methods (merchant_id, payment_method_id, customer_id, psp_customer_id, psp,
      state, scheme, funding_source, bin, issuer_country, acquirer_country, created_at, updated_at)
    select distinct on (1, 2) m."merchantId", m."paymentMethodId", m."customerId", m."pspCustomerId",
      m.psp, 'active', m.scheme, m."fundingSource", m.bin, m."issuerCountry", m."acquirerCountry",
      $2::timestamptz, $2::timestamptz
    from json_to_recordset($1::json) as m (
      "merchantId" text, "paymentMethodId" text, "customerId" text, "pspCustomerId" text, psp text,
      scheme text, "fundingSource" text, bin text, "issuerCountry" text, "acquirerCountry" text)
    order by 1, 2
    on conflict (merchant_id, payment_method_id) do update
    set customer_id = excluded.customer_id,
        psp_customer_id = coalesce(excluded.psp_customer_id, payment_methods.psp_customer_id),
        psp = excluded.psp, scheme = excluded.scheme, funding_source = excluded.funding_source,
        bin = coalesce(excluded.bin, payment_methods.bin),
        issuer_country = coalesce(excluded.issuer_country, payment_methods.issuer_country),
        acquirer_country = excluded.acquirer_country,
        updated_at = excluded.updated_at`,
};

/**
 * New payments are due for their first plan; those known before are left as they are, and so are those
 * whose invoice is known to be paid or closed, or whose card is disputed: they end without having been due.
 */
const startRecovery: Statement = {
  name: 'start_recovery',
  text: `
    update payments p
    set due_action = 'plan', next_attempt_at = $3, updated_at = $3
    from unnest($1::text[], $2::text[]) as i (merchant_id, invoice_id)
    where p.merchant_id = i.merchant_id and p.invoice_id = i.invoice_id
      and p.state = 'scheduled' and p.due_action is null and p.frozen_at is null
      and not exists (select from transactions t
                      where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
                        and t.success)
      and not ${isPaidByAnotherName('p')}
      and not exists (select from closed_invoices c
                      where c.merchant_id = p.merchant_id and c.invoice_id = p.invoice_id)
      and not ${isPaymentDisputed('p')}
    returning p.merchant_id, p.invoice_id`,
};

/**
 * Which of the transactions just stored were foreign, and whose invoice that is the first of. Each is
 * looked up by its key: a join with the view would read the whole table of them.
 */
const findForeign: Statement = {
  name: 'find_foreign_attempts',
  text: `
    with found as (
      select i.*, f.success
      from unnest($1::text[], $2::text[], $3::text[])
        as i (merchant_id, invoice_id, psp_transaction_id)
      cross join lateral (
        select a.success from foreign_attempts a
        where a.merchant_id = i.merchant_id and a.invoice_id = i.invoice_id
          and a.psp_transaction_id = i.psp_transaction_id
        offset 0
      ) f
    ),
    unwarned as (
      select * from (
        select p.merchant_id, p.invoice_id from payments p
        where (p.merchant_id, p.invoice_id) in
            (select merchant_id, invoice_id from found where not success)
          and p.foreign_warned_at is null
        order by p.merchant_id, p.invoice_id
        for update
      ) locked offset 0
    ),
    warned as (
      update payments p set foreign_warned_at = $4
      from unwarned u where p.merchant_id = u.merchant_id and p.invoice_id = u.invoice_id
      returning p.merchant_id, p.invoice_id
    )
    select f.merchant_id, f.invoice_id,
      w.invoice_id is not null
        and row_number() over (partition by f.merchant_id, f.invoice_id) = 1 as warns
    from found f left join warned w using (merchant_id, invoice_id)`,
};

interface InvoiceRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
}

interface TransactionRow extends InvoiceRow {
  readonly psp_transaction_id: string;
}

interface StoreDeps {
  readonly db: Database;
  readonly random: Random;
}

/**
 * In one transaction what the events of a batch add, in another what its updates change; what follows
 * from them is read when both are committed. Each locks its methods in the order of their ids, then its
 * payments, then what was reported of them: in one transaction the updates' methods would be locked
 * after the events', and two batches that name the same ones could wait for each other.
 */
export async function storeChanges(deps: StoreDeps, changes: ReportedChanges): Promise<Added> {
  const { db } = deps;
  const stored = await db.transaction((tx) => storeEvents(deps, tx, changes));
  const replanned = await applyMethodUpdates(db, changes);
  await forgetSubscriptionCards(deps, changes);
  const { at, failed, paid } = changes;
  const ended = await findEnded(db, [...failed, ...paid]);
  const foreign = await findForeignAttempts(db, stored.inserted, at);
  return {
    started: stored.started.map(toKey),
    replanned,
    ended,
    foreign,
  };
}

async function storeEvents(deps: StoreDeps, tx: Queryable, changes: ReportedChanges) {
  const { at } = changes;
  await nameInvoices(tx, changes.reportedAs, at);
  const seen = mergeSeen(changes.methods);
  if (seen.length > 0) await tx.query(addMethods, [JSON.stringify(seen), at]);
  await adoptNames(tx, changes.learned);
  await moveHistory(tx, changes.reportedAs);
  const inserted =
    changes.transactions.length === 0
      ? []
      : await tx.query<TransactionRow>(addTransactions, [JSON.stringify(changes.transactions)]);
  const started = await tx.query<InvoiceRow>(startRecovery, [...columns(changes.failed), at]);
  await learnCards(tx, learnedCards(changes), at);
  if (changes.transactions.length > 0) await addReportedAttempts(tx, changes.transactions);
  if (changes.cards.length > 0) await keepSubscriptionCards(deps, tx, changes);
  return { inserted, started };
}

/** Each method once, as if its events had come one after another: what a later one leaves out stays. */
function mergeSeen(methods: readonly SeenMethod[]): readonly SeenMethod[] {
  const merged = new Map<string, SeenMethod>();
  for (const method of methods) {
    const key = `${method.merchantId} ${method.paymentMethodId}`;
    merged.set(key, { ...merged.get(key), ...method });
  }
  return [...merged.values()];
}

function learnedCards({ methods }: ReportedChanges): readonly LearnedCard[] {
  return methods.flatMap(({ cardFingerprint: fingerprint, seenAt: at, ...method }) =>
    fingerprint === undefined ? [] : [{ ...method, card: { fingerprint }, at }],
  );
}

async function findForeignAttempts(
  db: Queryable,
  inserted: readonly TransactionRow[],
  at: Date,
): Promise<Added['foreign']> {
  if (inserted.length === 0) return [];
  const rows = await db.query<InvoiceRow & { warns: boolean }>(findForeign, [
    ...columns(inserted.map(toKey)),
    inserted.map((row) => row.psp_transaction_id),
    at,
  ]);
  return rows.map((row) => ({ ...toKey(row), warns: row.warns }));
}

function columns(keys: readonly InvoiceKey[]): [string[], string[]] {
  return [keys.map((key) => key.merchantId), keys.map((key) => key.invoiceId)];
}

function toKey(row: InvoiceRow): InvoiceKey {
  return { merchantId: row.merchant_id, invoiceId: row.invoice_id };
}
