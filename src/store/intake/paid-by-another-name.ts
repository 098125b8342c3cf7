import { dayMs } from '../../domain/clock.ts';

/**
 * Of how many invoices what one id names is looked at where only a PSP's word counts: an id of a charge has one
 * or two, a word that a merchant writes for every charge as many as it likes, and none of them by its PSP.
 */
const maxInvoicesOfCharge = 16;

/** Of how many successes of a subscription since an invoice is asked whether they are of its period. */
const maxPaidSince = 64;

/** SQL that says whether a debt was told to be paid, before its failure, under a name that is not its invoice's. */
export function isPaidByAnotherName(p: string): string {
  return `(${isPaidByItsCharge(p)} or ${isPaidByItsPeriod(p)})`;
}

/**
 * SQL that says whether a failed charge of a payment `p` stands in what was told of an invoice that was paid: as the
 * charge that paid it, or beside that one. A success claims no names, so that one told before the failure is found by
 * this alone. Which charges are of one debt is `isSameDebt`'s rule: by the PSP's own word on either side, else where
 * customer, amount, currency and time agree.
 *
 * Each part is a look-up by whole keys, fenced by offset 0: the index of a merchant's failures, or of names of one kind,
 * reads them all.
 */
function isPaidByItsCharge(p: string): string {
  return `exists (
      select from ${transactionsOf(p)} own
      cross join lateral (
        select t.invoice_id from transactions t
        where t.merchant_id = own.merchant_id and t.customer_id = own.customer_id
          and t.occurred_at = own.occurred_at and t.psp_transaction_id = own.psp_transaction_id
          and t.psp = own.psp and t.amount_minor = own.amount_minor and t.currency = own.currency
        union all
        select t.invoice_id from (
          (select t.invoice_id, t.psp, t.detail from transactions t
           where t.merchant_id = own.merchant_id and t.psp_transaction_id = own.psp_transaction_id
             and t.success
           limit ${maxInvoicesOfCharge})
          union all
          (select t.invoice_id, t.psp, t.detail from transactions t
           where t.merchant_id = own.merchant_id and t.psp_transaction_id = own.psp_transaction_id
             and not t.success
           limit ${maxInvoicesOfCharge})
        ) t
        where t.psp = own.psp and t.detail ->> 'reported_by' = 'psp'
        union all
        -- A column, not an expression: behind row-level security that finds no index.
        select t.invoice_id from (
          select own.psp || ':' || own.psp_transaction_id as value offset 0
        ) n
        cross join lateral (
          select from debt_identities d
          where d.merchant_id = own.merchant_id and d.kind = 'charge' and d.value = n.value
            and d.channel = 'psp'
          offset 0
        ) d
        cross join lateral (
          select t.invoice_id, t.psp from transactions t
          where t.merchant_id = own.merchant_id and t.psp_transaction_id = own.psp_transaction_id
            and t.success
          union all
          select t.invoice_id, t.psp from transactions t
          where t.merchant_id = own.merchant_id and t.psp_transaction_id = own.psp_transaction_id
            and not t.success
        ) t
        where t.psp = own.psp
        offset 0
      ) told
      cross join lateral (
        select from transactions s
        where s.merchant_id = own.merchant_id and s.invoice_id = told.invoice_id and s.success
        offset 0
      ) s
      where not own.success and told.invoice_id <> own.invoice_id
      offset 0)`;
}

/**
 * SQL that says whether the other channel told of one invoice that was paid in the subscription's period of `p`, as
 * reports join by it: where the period is `p`'s own and not spent, and nobody told of a further invoice in it.
 */
function isPaidByItsPeriod(p: string): string {
  return `exists (
      select from ${transactionsOf(p)} own
      cross join lateral (
        select (own.detail ->> 'invoice_created_at')::timestamptz as created_at offset 0
      ) o
      -- A column, not an expression: behind row-level security that finds no index.
      cross join lateral (
        select concat_ws(':', own.psp, own.subscription_id, own.amount_minor, own.currency,
          floor(extract(epoch from o.created_at) * 1000 / ${2 * dayMs})) as value
        offset 0
      ) n
      cross join lateral (
        select d.channel from debt_identities d
        where d.merchant_id = own.merchant_id and d.kind = 'period' and d.value = n.value
          and d.invoice_id = own.invoice_id and not d.spent
        offset 0
      ) d
      cross join lateral (
        select count(*) as invoices, bool_and(t.channel <> d.channel) as are_others,
          bool_and(not t.has_debt) as are_new
        from (
          select distinct t.invoice_id, coalesce(t.detail ->> 'reported_by', 'merchant') as channel,
            exists (select from payments q
                    where q.merchant_id = own.merchant_id and q.invoice_id = t.invoice_id
                    offset 0) as has_debt
          from (
            select * from transactions t
            where t.merchant_id = own.merchant_id and t.subscription_id = own.subscription_id
              and t.occurred_at > o.created_at - interval '1 day' and t.success
            order by t.occurred_at
            limit ${maxPaidSince}
          ) t
          where t.psp = own.psp and t.amount_minor = own.amount_minor and t.currency = own.currency
            and abs(extract(epoch from (t.detail ->> 'invoice_created_at')::timestamptz - o.created_at))
              < ${dayMs / 1000}
        ) t
      ) paid
      where not own.success and paid.invoices = 1 and paid.are_others and paid.are_new
      offset 0)`;
}

function transactionsOf(p: string): string {
  return `(
        select * from transactions t
        where t.merchant_id = ${p}.merchant_id and t.invoice_id = ${p}.invoice_id
        offset 0
      )`;
}
