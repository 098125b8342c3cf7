import { addMs, hourMs, laterOf } from '../../domain/clock.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import { endOfQuiet } from '../../domain/messages/quiet-hours.ts';
import { isFinal, type PaymentState } from '../../domain/states.ts';
import { unitOf } from '../learned/hash.ts';

/** A payment and what its customer was told, as the rule sees them. */
export interface TellFacts {
  readonly payment: {
    readonly state: PaymentState;
    /** Whether nothing is tried any more unless the customer does something. */
    readonly waitsForCustomer: boolean;
    /** When it is tried or planned next. */
    readonly nextAttemptAt?: Date;
    readonly windowEndsAt: Date;
    /** Frozen by an incident, or set aside: a person has to look at it first. */
    readonly isHeld: boolean;
  };
  readonly address: 'known' | 'none' | 'suppressed';
  /** The customer said on the merchant's page that they will not pay. */
  readonly hasRefused: boolean;
  readonly begunAt: Date;
  readonly sent: number;
  readonly lastSentAt?: Date;
  /** The customer's own zone, where it is known. */
  readonly timeZone?: string;
}

export type EndOfTelling = 'payment_ended' | 'no_address' | 'suppressed' | 'refused' | 'enough';
export type HeldBackBy = 'attempt_in_flight' | 'attempt_due' | 'held' | 'gap' | 'quiet_hours';

export type Telling =
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly until: Date; readonly because: HeldBackBy }
  | { readonly kind: 'end'; readonly because: EndOfTelling };

/** After an attempt its decline is planned on first, and the merchant may tell the customer by itself. */
const calmMs = 2 * hourMs;
/** So soon before the end of the window nobody could act on a message any more. */
const lastMs = 6 * hourMs;

/**
 * The one rule of messages and retries: a customer is written to only while their payment waits for them.
 * While an attempt is under way or planned it is not; a payment that ended is never written about again. When
 * the customer acts, the payment is planned anew, and so waits for them no more: the retry comes at once, and
 * the next message, if there is to be one, a while after it. Pure.
 */
export function whenToTell(
  facts: TellFacts,
  settings: Pick<
    MessageSettings,
    'timeZone' | 'quietFrom' | 'quietUntil' | 'maxMessages' | 'firstAfterHours' | 'gapHours'
  >,
  now: Date,
): Telling {
  const { payment, address } = facts;
  const last = addMs(payment.windowEndsAt, -lastMs);
  if (isFinal(payment.state) || now.getTime() >= last.getTime()) return end('payment_ended');
  if (address === 'none') return end('no_address');
  if (address === 'suppressed') return end('suppressed');
  if (facts.hasRefused) return end('refused');
  if (facts.sent >= settings.maxMessages) return end('enough');
  if (payment.state === 'attempting') return wait('attempt_in_flight', addMs(now, calmMs));
  if (payment.isHeld) return wait('held', addMs(now, calmMs));
  if (!payment.waitsForCustomer) {
    return wait('attempt_due', addMs(laterOf(payment.nextAttemptAt ?? now, now), calmMs));
  }
  const from =
    facts.lastSentAt === undefined
      ? addMs(facts.begunAt, settings.firstAfterHours * hourMs)
      : addMs(facts.lastSentAt, settings.gapHours * hourMs);
  if (from.getTime() > now.getTime()) return wait('gap', from);
  const loud = endOfQuiet(now, { ...settings, timeZone: facts.timeZone ?? settings.timeZone });
  if (loud.getTime() > now.getTime()) return wait('quiet_hours', loud);
  return { kind: 'send' };
}

function wait(because: HeldBackBy, until: Date): Telling {
  return { kind: 'wait', because, until };
}

function end(because: EndOfTelling): Telling {
  return { kind: 'end', because };
}

/** `holdout`: never written about, to compare with. */
export const messageArms = ['messages', 'holdout'] as const;
export type MessageArm = (typeof messageArms)[number];

/** The arm of a payment: by its hash, as the learned policy's holdout is, and apart from that one. */
export function messageArm(
  payment: { readonly merchantId: string; readonly invoiceId: string },
  holdoutShare: number,
): MessageArm {
  const place = unitOf(`${payment.merchantId}/${payment.invoiceId}`, 'messages/holdout');
  return place < holdoutShare ? 'holdout' : 'messages';
}
