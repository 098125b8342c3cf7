import type { Decline } from '../../domain/declines/decline.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { PaymentView } from '../api.ts';
import type { DeliveryTry } from './operator-views.ts';

/** What stands about one payment outside of its own rows. */
export interface PaymentStory {
  readonly firstDecline: Decline;
  readonly firstMethodId: string;
  readonly methods: readonly StoryMethod[];
  /** Billing attempts that the merchant or the PSP reported of the invoice, not ours. */
  readonly reports: readonly StoryReport[];
  readonly sends: readonly StorySend[];
  readonly pspEvents: readonly StoryPspEvent[];
  readonly disputes: readonly StoryDispute[];
  /** What operators did with the payment. */
  readonly actions: readonly StoryAction[];
}

/** A payment method of the payment or of its customer: what may be shown of a card. */
export interface StoryMethod {
  readonly paymentMethodId: string;
  readonly scheme?: string;
  readonly fundingSource?: string;
  readonly bin?: string;
  readonly issuerCountry?: string;
  readonly isRemoved: boolean;
  /** The latest change that was reported of it. */
  readonly signal?: { readonly reason: string; readonly at: Date };
}

export interface StoryReport {
  readonly pspTransactionId: string;
  readonly success: boolean;
  readonly amountMinor: number;
  readonly currency: string;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
}

/** One send of one event's webhook. */
export interface StorySend extends DeliveryTry {
  readonly eventId: string;
  /** Absent: the merchant's own webhook address. */
  readonly endpointId?: string;
  readonly type: string;
}

export interface StoryPspEvent {
  readonly psp: string;
  readonly eventId: string;
  readonly type: string;
  readonly outcome: string;
  readonly receivedAt: Date;
}

export interface StoryDispute {
  readonly disputeId: string;
  readonly kind: string;
  readonly reason?: string;
  readonly openedAt: Date;
}

export interface StoryAction {
  readonly action: string;
  readonly detail: JsonObject;
  readonly at: Date;
}

/** Who did it, or whose word it is. */
export const timelineActors = [
  'merchant',
  'recoup',
  'psp',
  'issuer',
  'network',
  'operator',
  'customer',
] as const;
export type TimelineActor = (typeof timelineActors)[number];

export const timelineKinds = [
  'failed',
  'taken_in',
  'reported',
  'method',
  'decision',
  'check',
  'charge',
  'rule',
  'attempt',
  'webhook',
  'psp_event',
  'dispute',
  'customer',
  'act',
  'ended',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** One thing that happened to a payment. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly actor: TimelineActor;
  /** What happened, in words without amounts: those stand beside. */
  readonly message: string;
  /** Why, where somebody decided something. */
  readonly because?: string;
  readonly amountMinor?: number;
  readonly currency?: string;
  /** What was said or sent, in the API's own names. */
  readonly facts: JsonObject;
}

export interface PaymentTimeline {
  readonly payment: PaymentView;
  readonly methods: readonly StoryMethod[];
  /** The oldest first. */
  readonly entries: readonly TimelineEntry[];
}
