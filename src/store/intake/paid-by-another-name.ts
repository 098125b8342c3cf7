/**
 * Of how many invoices a success under one id is looked at where only a PSP's word counts: an id of a charge has one
 * or two, a word that a merchant writes for every charge as many as it likes, and none of them by its PSP.
 */
const maxInvoicesOfCharge = 16;

/**
 * SQL that says whether a failed charge of a payment `p` stands in what was told of an invoice that was paid: as the
 * charge that paid it, or beside that one. A success claims no names, so that one told before the failure is found by
 * this alone. Which charges are of one debt is `isSameDebt`'s rule: by the PSP's own word on either side, else where
 * customer, amount, currency and time agree.
 */
export function isPaidByAnotherName(p: string): string {
  return `exists (
      select from transactions own
      cross join lateral (
        select t.invoice_id from transactions t
        where t.merchant_id = own.merchant_id and t.customer_id = own.customer_id
          and t.occurred_at = own.occurred_at and t.psp_transaction_id = own.psp_transaction_id
          and t.psp = own.psp and t.amount_minor = own.amount_minor and t.currency = own.currency
        union all
        select t.invoice_id from (
          select t.invoice_id, t.psp, t.detail from transactions t
          where t.merchant_id = own.merchant_id and t.psp_transaction_id = own.psp_transaction_id
            and t.success
          limit ${maxInvoicesOfCharge}
        ) t
        where t.psp = own.psp and t.detail ->> 'reported_by' = 'psp'
        union all
        -- A column, not an expression: behind row-level security that finds no index.
        select t.invoice_id from (
          select own.psp || ':' || own.psp_transaction_id as value offset 0
        ) n
        join debt_identities d on d.merchant_id = own.merchant_id and d.kind = 'charge'
          and d.value = n.value and d.channel = 'psp'
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
      where own.merchant_id = ${p}.merchant_id and own.invoice_id = ${p}.invoice_id
        and not own.success and told.invoice_id <> own.invoice_id
      offset 0)`;
}
