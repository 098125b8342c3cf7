import type { TakeOverGroup, TakeOverStep } from '../../policy/learned/steps/take-over.ts';
import type { ModelStore } from './model-ports.ts';

/** A merchant whose learned policy takes over by steps. */
export interface SteppingMerchant {
  readonly merchantId: string;
  readonly step: TakeOverStep;
  /** Since when; absent before the first look. */
  readonly since?: Date;
  readonly windowDays: number;
  /** Trials lost in a row. */
  readonly failedTrials: number;
  /** The part of the model that lost the last one. */
  readonly failedUse?: string;
}

/** A segment of a merchant that has a step of its own. */
export interface SteppingSegment {
  readonly segment: string;
  readonly step: TakeOverStep;
  readonly since: Date;
  readonly failedTrials: number;
  readonly failedUse?: string;
}

/** By merchant and segment: the share of payments that the model plans, where it is the segment's own. */
export type SegmentShares = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** A step that was judged, and why it is that one. */
export interface KeptStep {
  readonly merchantId: string;
  readonly to: TakeOverStep;
  readonly message: string;
  readonly failedTrials: number;
  /** The part of the model that lost its trial; absent: the one that is kept stays. */
  readonly failedUse?: string;
  readonly at: Date;
}

export interface TakeOverStore {
  /** Merchants with the learned policy whose share nobody set by hand. */
  listStepping(): Promise<readonly SteppingMerchant[]>;
  /** Payments that failed from `from` to `until`, by groups of payers; not of segments with own steps. */
  sumGroups(merchantId: string, from: Date, until: Date): Promise<readonly TakeOverGroup[]>;
  listSegments(merchantId: string): Promise<readonly SteppingSegment[]>;
  /**
   * The same by segment, from the segment's own step on, or from `from`: of the largest `most` that have
   * `minPayments` of both arms.
   */
  sumSegments(input: {
    readonly merchantId: string;
    readonly from: Date;
    readonly until: Date;
    readonly minPayments: number;
    readonly most: number;
  }): Promise<ReadonlyMap<string, readonly TakeOverGroup[]>>;
  /** Keeps a segment's own step and why; false where it is another one meanwhile, `from` absent for none. */
  keepSegment(
    input: KeptStep & { readonly segment: string; readonly from?: TakeOverStep },
  ): Promise<boolean>;
  /** Of all merchants whose policy goes by steps. */
  readSegmentShares(): Promise<SegmentShares>;
  /** All segments follow their merchant again. */
  forgetSegments(merchantId: string, at: Date): Promise<void>;
  /** Keeps the step and why; false where it is another one meanwhile. */
  keepStep(input: KeptStep & { readonly from: TakeOverStep }): Promise<boolean>;
}

export interface TakeOverDeps {
  readonly models: Pick<ModelStore, 'list'>;
  readonly steps: TakeOverStore;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}
