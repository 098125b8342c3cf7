import type { Clock } from '../../domain/clock.ts';
import type { CustomerContact, CustomerOutcome } from '../../domain/customers/customer-contact.ts';
import type { PaymentMethodUpdateBody, UpdateReason } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import { isFinal, type PaymentState } from '../../domain/states.ts';
import type { Accept } from '../api.ts';
import { type CardLink, type ReadLink, readCustomerLink } from './customer-link.ts';
import type { SignedTokens } from './signed-token.ts';

/** The payment that a link names, as the merchant's page needs it. */
export interface LinkedPayment {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly subscriptionId?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: PaymentState;
  /** The method whose decline the customer is to mend: the last one tried. */
  readonly paymentMethodId: string;
  readonly windowEndsAt: Date;
}

/** The card that a link names: one that ends before its subscription is billed again. */
export interface LinkedCard {
  readonly merchantId: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly paymentMethodId: string;
  readonly cardEndsAt: Date;
  /** Whether another card came, or the renewal did. */
  readonly isEnded: boolean;
}

export interface CustomerLinkStore {
  findCard(key: Omit<CardLink, 'endsAt'>): Promise<LinkedCard | undefined>;
  /** Keeps the first visit, or that the customer gives no other card. */
  noteCard(
    card: LinkedCard,
    what: { readonly visitedAt?: Date; readonly hasRefused?: true },
  ): Promise<void>;
  findPayment(key: {
    readonly merchantId: string;
    readonly invoiceId: string;
  }): Promise<LinkedPayment | undefined>;
  /** Keeps it once by its id; what is beyond `limits` of its kind is not kept. */
  addContact(input: {
    readonly merchantId: string;
    readonly invoiceId: string;
    readonly contactId: string;
    readonly contact: CustomerContact;
  }): Promise<void>;
}

export interface CustomerLinksDeps {
  readonly clock: Clock;
  readonly tokens: Pick<SignedTokens, 'read'>;
  readonly store: CustomerLinkStore;
  acceptUpdate(input: Accept<PaymentMethodUpdateBody>): Promise<unknown>;
}

export interface OfLink {
  readonly merchantId: string;
  readonly token: string;
}

/** `method_missing`: a method that was added has no id. */
export type LinkAnswer =
  | { readonly kind: 'payment'; readonly payment: LinkedPayment; readonly endsAt: Date }
  | { readonly kind: 'card'; readonly card: LinkedCard; readonly endsAt: Date }
  | Exclude<ReadLink, { kind: 'link' | 'card_link' }>;
export type OutcomeAnswer =
  | Exclude<LinkAnswer, { kind: 'card' }>
  | { readonly kind: 'method_missing' }
  /** The recovery has ended: what the customer did is kept, and changes nothing. */
  | { readonly kind: 'kept'; readonly payment: LinkedPayment }
  /** The same of a card: nothing is tried before it is charged again. */
  | { readonly kind: 'card_kept'; readonly card: LinkedCard };

export interface OutcomeOfLink extends OfLink {
  readonly outcome: CustomerOutcome;
  readonly paymentMethodId?: string;
  /** The receipt's: the same one again does nothing more. */
  readonly uuid: string;
}

/** The payment or the card that a token names, for the merchant whose token it is. */
export async function showCustomerLink(
  deps: Pick<CustomerLinksDeps, 'clock' | 'tokens' | 'store'>,
  { merchantId, token }: OfLink,
): Promise<LinkAnswer> {
  const read = readCustomerLink(deps.tokens, { merchantId, token, now: deps.clock.now() });
  if (read.kind === 'card_link') {
    const card = await deps.store.findCard(read.link);
    return card === undefined ? { kind: 'bad' } : { kind: 'card', card, endsAt: read.link.endsAt };
  }
  if (read.kind !== 'link') return read;
  const payment = await deps.store.findPayment(read.link);
  if (payment === undefined) return { kind: 'bad' };
  return { kind: 'payment', payment, endsAt: read.link.endsAt };
}

/** Keeps that the customer opened the merchant's page. */
export async function noteCustomerVisit(
  deps: Pick<CustomerLinksDeps, 'clock' | 'tokens' | 'store'>,
  input: OfLink & { readonly uuid: string },
): Promise<LinkAnswer> {
  const answer = await showCustomerLink(deps, input);
  if (answer.kind === 'card') {
    await deps.store.noteCard(answer.card, { visitedAt: deps.clock.now() });
  }
  if (answer.kind !== 'payment') return answer;
  await deps.store.addContact({
    ...keyOf(answer.payment),
    contactId: input.uuid,
    contact: { kind: 'visited', at: deps.clock.now() },
  });
  return answer;
}

const reasonOf: Readonly<Record<Exclude<CustomerOutcome, 'refused'>, UpdateReason>> = {
  payment_method_added: 'user_added',
  payment_method_updated: 'user_updated',
  authenticated: 'user_updated',
  issuer_contacted: 'user_updated',
};

/**
 * Keeps what the customer did. Whatever may make a charge pass goes the way of a payment-method update, so
 * that the payment is planned anew at once, with what bound the method before taken off it.
 */
export async function noteCustomerOutcome(
  deps: CustomerLinksDeps,
  input: OutcomeOfLink,
): Promise<OutcomeAnswer> {
  const { outcome, uuid, paymentMethodId } = input;
  if (outcome === 'payment_method_added' && paymentMethodId === undefined) {
    return { kind: 'method_missing' };
  }
  const answer = await showCustomerLink(deps, input);
  if (answer.kind === 'card') return await noteCardOutcome(deps, answer.card, input);
  if (answer.kind !== 'payment') return answer;
  const { payment } = answer;
  const at = deps.clock.now();
  await deps.store.addContact({
    ...keyOf(payment),
    contactId: uuid,
    contact: { kind: 'outcome', at, outcome },
  });
  if (outcome === 'refused' || isFinal(payment.status)) return { kind: 'kept', payment };
  await deps.acceptUpdate({
    merchantId: payment.merchantId,
    uuid,
    body: present({
      customer_id: payment.customerId,
      payment_method_id: paymentMethodId ?? payment.paymentMethodId,
      reason: reasonOf[outcome],
    }),
  });
  return answer;
}

/** A card that was replaced ends its notice, as an update of the customer's methods does. The rest changes nothing. */
async function noteCardOutcome(
  deps: CustomerLinksDeps,
  card: LinkedCard,
  { outcome, uuid, paymentMethodId = card.paymentMethodId }: OutcomeOfLink,
): Promise<OutcomeAnswer> {
  if (outcome === 'refused') await deps.store.noteCard(card, { hasRefused: true });
  if (outcome === 'payment_method_added' || outcome === 'payment_method_updated') {
    await deps.acceptUpdate({
      merchantId: card.merchantId,
      uuid,
      body: {
        customer_id: card.customerId,
        payment_method_id: paymentMethodId,
        reason: reasonOf[outcome],
      },
    });
  }
  return { kind: 'card_kept', card };
}

function keyOf({ merchantId, invoiceId }: LinkedPayment) {
  return { merchantId, invoiceId };
}
