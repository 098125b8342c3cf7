import { currencyExponent } from '../../../src/domain/money.ts';
import type { XmlValue } from './braintree-xml.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** A transaction as the test server keeps it. */
export interface KeptTransaction {
  readonly id: string;
  readonly type: 'sale' | 'credit';
  status: string;
  readonly orderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly token: string;
  readonly merchantAccountId: string;
  readonly attributes: Attributes;
  readonly createdAt: Date;
  readonly more: { readonly [name: string]: XmlValue };
  /** Refunds of it; a refund has none. */
  readonly refunds: KeptTransaction[];
}

export const merchantAccounts = [
  { id: 'acme_usd', currency: 'USD' },
  { id: 'acme_eur', currency: 'EUR' },
  { id: 'acme_jpy', currency: 'JPY' },
  { id: 'acme_kwd', currency: 'KWD' },
] as const;

/** What a payment method of the test server leads to, by its token. */
export function outcomeOf(token: string): Pick<KeptTransaction, 'status' | 'more'> {
  const rejected = /^bt_rejected_(\w+)$/.exec(token)?.[1];
  if (rejected !== undefined) {
    return { status: 'gateway_rejected', more: { 'gateway-rejection-reason': rejected } };
  }
  const declined = /^bt_(?:lost_)?decline_(\d{4})(?:_net_(\w\w))?(?:_mac_(\d\d))?$/.exec(token);
  if (declined !== null) {
    const [, code, network, advice] = declined;
    return {
      status: 'processor_declined',
      more: {
        'processor-response-code': code,
        'processor-response-text': `Declined ${code}`,
        'processor-response-type': code === '2001' ? 'soft_declined' : 'hard_declined',
        'network-response-code': network,
        'network-response-text': network && `Network said ${network}`,
        'merchant-advice-code': advice,
      },
    };
  }
  // Declined, and tried again by Braintree itself: see `retryOf`.
  if (token.startsWith('bt_retried_')) return outcomeOf('bt_decline_2001');
  const status = /^bt_status_(\w+)$/.exec(token)?.[1] ?? 'submitted_for_settlement';
  const approved = {
    'processor-response-code': '1000',
    'processor-response-text': 'Approved',
    'processor-response-type': 'approved',
    'network-response-code': '00',
  };
  return { status, more: status === 'failed' ? { 'processor-response-code': '3000' } : approved };
}

/**
 * The transaction by which Braintree tries a declined one again, ending as the token says after
 * `bt_retried_`: it names the first one, and is without its order id.
 */
export function retryOf(first: KeptTransaction): KeptTransaction | undefined {
  const status = /^bt_retried_(\w+)$/.exec(first.token)?.[1];
  if (status === undefined) return undefined;
  return {
    ...first,
    id: `rt${first.id}`,
    status,
    orderId: '',
    more: { 'retried-transaction-id': first.id },
    refunds: [],
  };
}

export function transactionXml(kept: KeptTransaction): XmlValue {
  const retry = retryOf(kept);
  return {
    ...(retry && kept.orderId !== '' && { 'retry-ids': [{ item: retry.id }] }),
    'refund-ids': kept.refunds.map(({ id }) => ({ item: id })),
    id: kept.id,
    status: kept.status,
    type: kept.type,
    'currency-iso-code': kept.currency,
    amount: kept.amount,
    'merchant-account-id': kept.merchantAccountId,
    'order-id': kept.orderId,
    'subscription-id': String(kept.attributes.subscription_id ?? ''),
    'created-at': kept.createdAt.toISOString().replace(/\.\d+Z$/, 'Z'),
    customer: { id: 'bt_customer', 'first-name': '', email: null },
    'credit-card': {
      token: kept.token,
      bin: '411111',
      'last-4': '1111',
      'unique-number-identifier': `uni_${kept.token}`,
      'card-type': kept.token.includes('_mac_') ? 'MasterCard' : 'Visa',
      debit: 'No',
      prepaid: 'No',
      'country-of-issuance': 'USA',
    },
    'processed-with-network-token': true,
    'custom-fields': '',
    'payment-instrument-type': 'credit_card',
    'network-transaction-id': `02026110209${kept.id.slice(-3)}`,
    disputes: [],
    'a-field-of-tomorrow': { 'deeper-still': ['x'].map((text) => ({ item: text })) },
    ...kept.more,
  };
}

/** Minor units of an amount as it was sent. */
export function minorOf(kept: KeptTransaction): number {
  return Math.round(Number(kept.amount) * 10 ** currencyExponent(kept.currency));
}
