import type { LearnedNames } from '../../recovery/intake-ports.ts';
import type { Queryable, Statement } from '../database.ts';

const maxMethods = 20;

/**
 * What a payment `p` takes of the names `n`. The merchant's own names go before those of its PSP, since
 * its server knows them; what it reported first itself stays. Methods follow those that are there.
 */
function adopted(n: string): string {
  const merchants = (key: string, column: string) => `
    ${column} = case when ${isForMerchant(n)} then ${n} #>> '{merchant,${key}}' else p.${column} end`;
  return `${merchants('invoiceId', 'merchant_invoice_id')},
    ${merchants('customerId', 'customer_id')},
    ${merchants('subscriptionId', 'subscription_id')},
    ${merchants('transactionId', 'transaction_id')},
    ${merchants('originalPspTransactionId', 'original_psp_transaction_id')},
    custom = case when ${isForMerchant(n)} then ${n} #> '{merchant,custom}' else p.custom end,
    psp_invoice_id = coalesce(p.psp_invoice_id, ${n} ->> 'pspInvoiceId'),
    psp_invoice_state = case when coalesce(p.psp_invoice_id, ${n} ->> 'pspInvoiceId') is null
                             then p.psp_invoice_state else 'known' end,
    psp_customer_id = coalesce(p.psp_customer_id, ${n} ->> 'pspCustomerId'),
    payment_method_ids = array(
      select m.id from unnest(p.payment_method_ids || ${methodsIn(n)}) with ordinality m (id, position)
      group by m.id order by min(m.position) limit ${maxMethods})`;
}

function isForMerchant(n: string): string {
  return `(p.reported_by = 'psp' and p.merchant_invoice_id is null and ${n} ? 'merchant')`;
}

function methodsIn(n: string): string {
  return `array(select jsonb_array_elements_text(${methodsOf(n)}))`;
}

function methodsOf(n: string): string {
  return `coalesce(${n} -> 'paymentMethodIds', '[]')`;
}

/**
 * Gives payments the names that other reports of their debts told. An attempt that is open keeps what
 * it was begun with, since its charge does: the names wait for its end. Where nothing is new, nothing
 * is written, but all of them are held, in one order: whoever calls this may change each of them next.
 */
const adopt: Statement = {
  name: 'adopt_debt_names',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as i (
        merchant_id text, invoice_id text, psp text, names jsonb)
    ),
    held as (
      select * from (
        select p.merchant_id, p.invoice_id, p.state, i.names,
          p.psp = i.psp and (${isForMerchant('i.names')}
            or (p.psp_invoice_id is null and i.names ? 'pspInvoiceId')
            or (p.psp_customer_id is null and i.names ? 'pspCustomerId')
            or not p.payment_method_ids @> ${methodsIn('i.names')}) as is_told_more
        from input i
        join payments p on p.merchant_id = i.merchant_id and p.invoice_id = i.invoice_id
        order by p.merchant_id, p.invoice_id
        for update of p
      ) locked offset 0
    ),
    kept as (
      update payments p
      set learned_names = coalesce(p.learned_names, '{}') || h.names || jsonb_build_object(
        'paymentMethodIds', ${methodsOf('p.learned_names')} || ${methodsOf('h.names')})
      from held h
      where p.merchant_id = h.merchant_id and p.invoice_id = h.invoice_id and h.is_told_more
        and h.state = 'attempting'
    )
    update payments p set ${adopted('h.names')}
    from held h
    where p.merchant_id = h.merchant_id and p.invoice_id = h.invoice_id and h.is_told_more
      and h.state <> 'attempting'`,
};

type Names = Omit<LearnedNames, 'merchantId' | 'invoiceId' | 'psp'>;

export async function adoptNames(db: Queryable, learned: readonly LearnedNames[]): Promise<void> {
  const ofDebts = new Map<string, { readonly names: Names } & Record<string, unknown>>();
  for (const { merchantId, invoiceId, psp, ...names } of learned) {
    const key = `${merchantId} ${invoiceId} ${psp}`;
    // Of several reports of one debt the first one's names stay.
    const known = ofDebts.get(key)?.names;
    const row = { merchant_id: merchantId, invoice_id: invoiceId, psp };
    const paymentMethodIds = [...(known?.paymentMethodIds ?? []), ...names.paymentMethodIds];
    ofDebts.set(key, { ...row, names: { ...names, ...known, paymentMethodIds } });
  }
  if (ofDebts.size > 0) await db.query(adopt, [JSON.stringify([...ofDebts.values()])]);
}

/** What waited for the end of an attempt, once no attempt of the payment is open any more. */
const takeOver: Statement = {
  name: 'take_over_learned_names',
  text: `
    with held as (
      select * from (
        select p.merchant_id, p.invoice_id
        from unnest($1::text[], $2::text[], $3::int[]) as k (merchant_id, invoice_id, fence)
        join payments p
          on p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id and p.fence = k.fence
        order by p.merchant_id, p.invoice_id
        for update of p
      ) locked offset 0
    )
    update payments p set learned_names = null, ${adopted('p.learned_names')}
    from held h
    where p.merchant_id = h.merchant_id and p.invoice_id = h.invoice_id
      and p.learned_names is not null
      and not exists (
        select from all_attempts a
        where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
          and a.state in ('checking', 'charging', 'unknown'))`,
};

export interface ClaimedPayment {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly fence: number;
}

export async function takeOverNames(
  db: Queryable,
  claimed: readonly ClaimedPayment[],
): Promise<void> {
  if (claimed.length === 0) return;
  await db.query(takeOver, [
    claimed.map((row) => row.merchant_id),
    claimed.map((row) => row.invoice_id),
    claimed.map((row) => row.fence),
  ]);
}
