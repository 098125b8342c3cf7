// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PaymentStatusJson, PaymentSummaryJson } from './payments.ts';

/** The time. */
export type ClockJson = {
  /** The service's time. */
  readonly now: string;
  /** How far it is before the machine's time. */
  readonly offset_ms: number;
  /** When the next work of a payment is due. */
  readonly next_event_at?: string;
  /** What such an advance would do; what follows from it, such as webhooks of its results, comes on top. Present where the query asks. */
  readonly planned?: PlannedWorkJson;
};

/** What such an advance would do; what follows from it, such as webhooks of its results, comes on top. Present where the query asks. */
export type PlannedWorkJson = {
  /** Payments that would be tried. */
  readonly attempts: number;
  /** Webhooks that would be sent. */
  readonly deliveries: number;
};

export type MagicMethodJson = {
  /** What stands in angle brackets is yours to fill in. */
  readonly id: string;
  readonly examples: readonly string[];
  /** What the sandbox does with a charge of it. */
  readonly meaning: string;
};

/** How the payments of a batch stand now. */
export type BatchJson = {
  readonly totals: readonly BatchTotalJson[];
  /** The 25 that changed last, the latest first. */
  readonly latest: readonly PaymentSummaryJson[];
};

export type BatchTotalJson = {
  /** The last three are final. */
  readonly status: PaymentStatusJson;
  readonly currency: string;
  readonly count: number;
  /** The sum of their amounts. */
  readonly amount: number;
};

export type ShowClockQuery = {
  /** Asks what an advance by this ISO 8601 duration would do. Nothing moves. */
  readonly advance?: string;
};

export type MoveClockBody = {
  /** How far, as an ISO 8601 duration such as P1D or PT12H. */
  readonly advance?: string;
  /** Or until when. */
  readonly to?: string;
  /** Or until the next work of a payment is due. */
  readonly next_event?: true;
};

export type MoveClockAnswer = {
  /** The service's time. */
  readonly now: string;
  /** How far it is before the machine's time. */
  readonly offset_ms: number;
  /** How often time jumped on the way. */
  readonly jumps: number;
};

export type ListMagicMethodsAnswer = {
  readonly items: readonly MagicMethodJson[];
};

export type SubmitPaymentsBody = {
  /** How many payments. */
  readonly count: number;
  /** Chooses the payers: the same seed gives the same ones. */
  readonly seed: number;
};

export type SubmitPaymentsAnswer = {
  /** The batch, as its submission answered it. */
  readonly batch: string;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  readonly count: number;
};
