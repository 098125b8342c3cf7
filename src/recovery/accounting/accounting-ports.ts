/** How many, and how much in minor units. */
export interface Sum {
  readonly count: number;
  readonly amountMinor: number;
}

/**
 * An account, currency and UTC day whose control totals do not agree. Of events, which belong to no
 * account, `psp` and `currency` are absent.
 */
export interface ControlDifference {
  readonly merchantId: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly psp?: string;
  readonly connectionVersion?: number;
  readonly currency?: string;
  /** Successes at the PSP, as the charges here say. */
  readonly charged: Sum;
  /** Recovered payments. */
  readonly recovered: Sum;
  /** Successes in the bodies of events. */
  readonly announced: Sum;
  readonly eventsCreated: number;
  readonly eventsDelivered: number;
  readonly eventsPending: number;
  readonly eventsExhausted: number;
  readonly foundAt: Date;
}

/** What the control totals say: nothing differs, or what does. */
export interface ControlReport {
  /** Every change of a fact before this is in the totals; absent before the first count. */
  readonly countedThrough?: Date;
  /** Some of them, the newest days first, where there are many. */
  readonly differences: readonly ControlDifference[];
  /** Keys of money that differ, and days of events that do. */
  readonly moneyDiffers: number;
  readonly eventsDiffer: number;
}

export interface InvariantView {
  /** Such as `one_success_per_invoice`. */
  readonly name: string;
  readonly promise: string;
  readonly breaches: number;
}

/** A check of everything that is stored, page by page. */
export interface InvariantCheck {
  readonly checkId: string;
  readonly state: 'running' | 'done';
  readonly rowsRead: number;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly endedAt?: Date;
  /** Every promise that it counts, with the breaches found so far. */
  readonly items: readonly InvariantView[];
}

/** What must always hold, as it is known now. */
export interface InvariantsReport {
  /** The kept ones as of now, the others as of the last whole check. */
  readonly items: readonly InvariantView[];
  readonly control: ControlReport;
  readonly lastCheck?: InvariantCheck;
  readonly runningCheck?: InvariantCheck;
}

export interface CheckStore {
  /** Begins a check; where one is under way, that one goes on. */
  begin(input: { readonly checkId: string; readonly at: Date }): Promise<InvariantCheck>;
  /** Counts one page of the check under way; how many rows it read, 0 when there is none to do. */
  step(input: { readonly at: Date }): Promise<{ readonly rows: number; readonly ended: boolean }>;
  find(checkId: string): Promise<InvariantCheck | undefined>;
  read(): Promise<Pick<InvariantsReport, 'lastCheck' | 'runningCheck'>>;
}

export interface ControlStore {
  /** Brings the totals up to date; how many changes were counted. */
  fold(input: { readonly at: Date }): Promise<number>;
  read(): Promise<ControlReport>;
}
