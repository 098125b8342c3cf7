import { cardEnd } from '../../domain/card-expiry.ts';
import { invariant } from '../../domain/errors.ts';
import { isPaid, type PaymentEventBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import { nextRenewal } from './next-renewal.ts';

/** What a billing event tells of the card that its subscription is billed to. */
export interface SubscriptionCard {
  readonly merchantId: string;
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly pspCustomerId?: string;
  readonly paymentMethodId: string;
  /** The first moment after the card's last month; absent where the event does not say. */
  readonly cardEndsAt?: Date;
  /** When the card was charged: of two events the later one counts. */
  readonly billedAt: Date;
  readonly isPaid: boolean;
  /** When it is billed again; absent where the event gives no period, or the subscription ends before. */
  readonly renewsAt?: Date;
}

/** The card of an event's subscription: the one that paid, or else the first that was tried. */
export function subscriptionCard(merchantId: string, body: PaymentEventBody): SubscriptionCard {
  const { customer, subscription, transactions } = body;
  const charged = transactions.find(({ success }) => success) ?? transactions[0];
  invariant(charged !== undefined, 'an event has a transaction');
  const { expiration_month: month, expiration_year: year } = charged;
  return {
    merchantId,
    subscriptionId: subscription.id,
    customerId: customer.id,
    paymentMethodId: charged.payment_method_id,
    billedAt: new Date(charged.psp_transaction_created_at),
    isPaid: isPaid(body),
    ...present({
      pspCustomerId: customer.psp_id,
      cardEndsAt: cardEnd({ month, year }),
      renewsAt: renewalOf(body),
    }),
  };
}

function renewalOf({ subscription, invoice }: PaymentEventBody): Date | undefined {
  const { billing, end_date } = subscription;
  if (billing?.period === undefined) return undefined;
  const { period, frequency } = billing;
  const renewsAt = nextRenewal(new Date(invoice.created_at), { period, ...present({ frequency }) });
  // What is beyond four digits of years, or beyond all dates, is a slip of whoever reported it.
  if (!(renewsAt.getUTCFullYear() <= 9999)) return undefined;
  const ends = end_date !== undefined && new Date(end_date).getTime() <= renewsAt.getTime();
  return ends ? undefined : renewsAt;
}

/** The last report of each subscription of a batch, in the order of their ids. */
export function lastOfEach(cards: readonly SubscriptionCard[]): readonly SubscriptionCard[] {
  const latest = new Map<string, SubscriptionCard>();
  for (const card of cards) {
    const key = JSON.stringify([card.merchantId, card.subscriptionId]);
    const other = latest.get(key);
    if (other === undefined || other.billedAt <= card.billedAt) latest.set(key, card);
  }
  return [...latest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, card]) => card);
}
