import { lastMonth } from '../../domain/card-expiry.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { ResolvedBy } from '../engine/customer-action.ts';
import type { NewEvent } from '../engine-ports.ts';

/** A card that ends before its subscription is billed again: once for each card and its last month. */
export interface CardNotice {
  readonly merchantId: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly paymentMethodId: string;
  readonly cardEndsAt: Date;
  readonly renewsAt: Date;
}

/** What ended the wait of a notice: another card, a renewal that passed all the same, or one that did not. */
export type NoticeEnd = Extract<ResolvedBy, 'payment_method' | 'recovered' | 'window_ended'>;

export interface EndedNotice extends Omit<CardNotice, 'renewsAt'> {
  readonly resolvedBy: NoticeEnd;
}

/** `customer_action_required` of a card that is about to expire. It is of no invoice. */
export function cardExpiringEvent(
  deps: { readonly random: Random },
  notice: CardNotice,
  at: Date,
): NewEvent {
  const body = {
    ...common(notice, at),
    reason: 'card_expiring',
    what_helps: 'new_payment_method',
    since: at.toISOString(),
    waits_until: notice.renewsAt.toISOString(),
  };
  return event(deps, 'customer_action_required', body);
}

/** `customer_action_resolved` of the same. */
export function cardNoticeEndedEvent(
  deps: { readonly random: Random },
  notice: EndedNotice,
  at: Date,
): NewEvent {
  const body = { ...common(notice, at), reason: 'card_expiring', resolved_by: notice.resolvedBy };
  return event(deps, 'customer_action_resolved', body);
}

function common(notice: Omit<CardNotice, 'renewsAt'>, at: Date) {
  return {
    timestamp: at.toISOString(),
    customer_id: notice.customerId,
    subscription_id: notice.subscriptionId,
    payment_method_id: notice.paymentMethodId,
    card_expires: lastMonth(notice.cardEndsAt),
  };
}

function event(
  deps: { readonly random: Random },
  type: NewEvent['type'],
  body: Readonly<Record<string, string>>,
): NewEvent {
  return { eventId: newId(deps.random, 'evt'), type, body: JSON.stringify(body) };
}
