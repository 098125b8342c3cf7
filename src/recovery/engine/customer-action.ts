import type { Decline } from '../../domain/declines/decline.ts';
import { newId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import { isFinal } from '../../domain/states.ts';
import { customerPageUrl, type SignCustomerLink } from '../customers/customer-link.ts';
import type { NewEvent, PaymentContext, PaymentOutcome } from '../engine-ports.ts';

/** What the customer can do about a payment that no retry recovers as it is. */
export type WhatHelps = 'new_payment_method' | 'authentication' | 'contact_issuer';

/** What ended the wait for a customer. */
export type ResolvedBy = 'payment_method' | 'recovered' | 'stopped' | 'window_ended';

/** Additional authentication (Visa 1A), a failed cryptogram (Mastercard 88): docs/declines.md. */
const authenticationCodes: readonly string[] = ['1A', '88'];

export interface CustomerActionDeps {
  readonly random: Random;
  readonly signLink: SignCustomerLink;
}

/**
 * The events of a payment that begins or ends to wait for its customer, for merchants that ask for
 * them. It waits where no attempt is planned: only a new or updated payment method brings one before the
 * window ends.
 */
export function customerAction(
  deps: CustomerActionDeps,
  input: {
    readonly payment: PaymentContext;
    readonly merchant: Merchant;
    readonly next: PaymentOutcome;
    /** Of the charge that the step records, where it was declined. */
    readonly declined?: Decline | undefined;
    readonly at: Date;
  },
): readonly NewEvent[] {
  const { payment, merchant, next, at } = input;
  const isJoined = payment.stopReason === 'joined' || next.stopReason === 'joined';
  if (merchant.customerActionEvents !== true || isJoined) return [];
  if (isFinal(payment.state) || next.setAside !== undefined) return [];
  const waited = payment.decision?.kind === 'wait_for_update';
  const waits = isWaiting(next, payment);
  if (waited === waits) return [];
  const common = {
    timestamp: at.toISOString(),
    customer_id: payment.customerId,
    subscription_id: payment.subscriptionId,
    invoice_id: payment.merchantInvoiceId ?? payment.invoiceId,
  };
  const { custom } = payment;
  const body = waits
    ? { ...common, ...whatIsWaitedFor(input), ...pageOf(deps, input), custom }
    : { ...common, resolved_by: resolvedBy(next), custom };
  const type = waits ? 'customer_action_required' : 'customer_action_resolved';
  return [{ eventId: newId(deps.random, 'evt'), type, body: JSON.stringify(body) }];
}

function isWaiting(next: PaymentOutcome, payment: PaymentContext): boolean {
  const decision = next.decision ?? payment.decision;
  return (
    next.state === 'scheduled' &&
    next.dueAction === 'expire' &&
    decision?.kind === 'wait_for_update'
  );
}

function whatIsWaitedFor({ payment, next, declined, at }: Parameters<typeof customerAction>[1]) {
  const { amountMinor, currency, tries } = payment;
  const lastTry = tries.at(-1);
  const decline = declined ?? lastTry?.declines.at(-1)?.decline ?? payment.firstDecline;
  const since = declined === undefined ? (lastTry?.endedAt ?? payment.failedAt) : at;
  return {
    reason: decline.category,
    decline_code: decline.code,
    what_helps: whatHelps(decline),
    since: since.toISOString(),
    ...present({ waits_until: next.nextAttemptAt?.toISOString() }),
    amount: decimalNumber({ amountMinor, currency }),
    currency,
  };
}

/** Where the customer is sent, for merchants that gave the address of such a page. */
function pageOf(
  { signLink }: CustomerActionDeps,
  { payment, merchant }: Parameters<typeof customerAction>[1],
): { readonly customer_page_url?: string } {
  const page = merchant.customerPageUrl;
  if (page === undefined) return {};
  const { merchantId, invoiceId, windowEndsAt: endsAt } = payment;
  return { customer_page_url: customerPageUrl(page, signLink({ merchantId, invoiceId, endsAt })) };
}

/** What would help against a decline, as far as its codes say; another method always does. */
export function whatHelps(decline: Decline): WhatHelps {
  if (decline.category !== 'customer_action') return 'new_payment_method';
  const asksForAuthentication =
    authenticationCodes.includes(decline.networkCode ?? '') ||
    /authentication|3ds|challenge/i.test(decline.code);
  if (asksForAuthentication) return 'authentication';
  const [deciding] = decline.sources ?? [];
  return deciding?.source === 'network_advice' ? 'new_payment_method' : 'contact_issuer';
}

function resolvedBy({ state }: PaymentOutcome): ResolvedBy {
  switch (state) {
    case 'recovered':
      return 'recovered';
    case 'stopped':
      return 'stopped';
    case 'exhausted':
      return 'window_ended';
    case 'scheduled':
    case 'attempting':
      return 'payment_method';
  }
}
