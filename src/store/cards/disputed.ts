/**
 * SQL that says whether one of a payment's methods, or its customer, is in an open dispute or has a
 * fraud warning. A dispute names its card by the method or by the fingerprint; where it names neither,
 * nothing tells the customer's cards apart, and none is charged. Each is a look-up by whole keys: a plan that was
 * made while there were few disputes, and is kept, would read all that a merchant has open.
 *
 * @param methodIds an SQL array of the methods to charge
 */
export function isDisputed(input: {
  readonly merchantId: string;
  readonly psp: string;
  readonly methodIds: string;
  readonly pspCustomerId: string;
}): string {
  const { merchantId, psp, methodIds, pspCustomerId } = input;
  return `(exists (
      select from disputes d
      where d.merchant_id = ${merchantId} and d.blocks_retries
        and d.payment_method_id = any (${methodIds}) and d.psp = ${psp}
      offset 0)
    or exists (
      select from payment_methods dm
      cross join lateral (
        select from disputes d
        where d.merchant_id = dm.merchant_id and d.card_fingerprint = dm.fingerprint and d.blocks_retries
        offset 0
      ) d
      where dm.merchant_id = ${merchantId} and dm.payment_method_id = any (${methodIds})
      offset 0)
    or exists (
      select from disputes d
      where d.merchant_id = ${merchantId} and d.blocks_retries and d.payment_method_id is null
        and d.psp_customer_id = ${pspCustomerId} and d.psp = ${psp}
      offset 0))`;
}

/** The same of a payment of alias `p`. */
export function isPaymentDisputed(p: string): string {
  return isDisputed({
    merchantId: `${p}.merchant_id`,
    psp: `${p}.psp`,
    methodIds: `${p}.payment_method_ids`,
    pspCustomerId: `${p}.psp_customer_id`,
  });
}
