import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { DeclineCategory } from '../../domain/declines/decline.ts';
import type { Alert } from '../alerts/alert.ts';

/** Of payments that came in at `from` or later and before `to`; an end left out is open. */
export interface OverviewQuery extends OfMerchants {
  readonly from?: Date;
  readonly to?: Date;
  /** The service's present time. */
  readonly now: Date;
}

/** Payments and their money, in minor units of one currency. */
export interface Sum {
  readonly payments: number;
  readonly amountMinor: number;
}

const outcomes = ['open', 'recovered', 'stopped', 'exhausted'] as const;
export type Outcome = (typeof outcomes)[number];

/** Payments that came in within the time, and what became of them so far. */
export interface Cohort extends Sum {
  readonly outcomes: Readonly<Record<Outcome, Sum>>;
  readonly attempts: number;
}

export interface CurrencyOverview {
  readonly currency: string;
  /** Money recovered within the period, whenever its payment failed. */
  readonly recovered: Sum;
  /** The same of the time of the same length before; absent where the range is open. */
  readonly recoveredBefore?: Sum;
  /** All payments open now, however old. */
  readonly atRisk: Sum;
  readonly cohort: Cohort;
  readonly funnel: readonly (Cohort & { readonly category: DeclineCategory })[];
  /** Recovered money by hour, or by UTC day where the range is long; empty ones left out. */
  readonly series: readonly SeriesPoint[];
}

export interface SeriesPoint extends Sum {
  readonly at: Date;
}

export interface PlannedHour {
  readonly at: Date;
  readonly category: DeclineCategory;
  readonly attempts: number;
}

/** Cards near what their networks allow in 30 days, the networks with the most spent ones first. */
export interface NetworkPressure {
  /** When they were counted. Absent: not yet. */
  readonly asOf?: Date;
  readonly networks: readonly {
    readonly network: string;
    /** Half or more is used. */
    readonly near: number;
    /** All is used. */
    readonly spent: number;
  }[];
}

export interface Overview {
  /** Every change before this time is counted. Absent: nothing was counted yet. */
  readonly asOf?: Date;
  readonly seriesStep: 'hour' | 'day';
  readonly currencies: readonly CurrencyOverview[];
  readonly planned: readonly PlannedHour[];
  readonly networkPressure: NetworkPressure;
  /** What is counted of each merchant, one by one. */
  readonly alerts: readonly Alert[];
}

export interface RetryMapQuery extends OfMerchants {
  readonly from?: Date;
  readonly to?: Date;
}

export interface TriesOf {
  readonly tries: number;
  readonly successes: number;
}

/** Charges whose outcome is known, by when and why. */
export interface RetryMap {
  readonly asOf?: Date;
  /** By the hour in which they were sent, in order. */
  readonly hours: readonly (TriesOf & { readonly at: Date })[];
  readonly daysSinceFailure: readonly (TriesOf & { readonly bucket: string })[];
  /** The most frequent ones. */
  readonly declineCodes: readonly (TriesOf & { readonly bucket: string })[];
  readonly bins: readonly (TriesOf & { readonly bucket: string })[];
}
