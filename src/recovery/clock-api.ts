/** The sandbox's clock. */
export interface ClockApi {
  show(): Promise<ClockView>;
  /** When the next work of a payment is due; undefined where none is planned. */
  nextEventAt(): Promise<Date | undefined>;
  /** What of payments and webhooks is planned for `to` or before; what follows from it is not in it. */
  countPlanned(to: Date): Promise<PlannedWork>;
  /** Moves to `to`, doing everything that falls due on the way in its order; resolves when done. */
  advanceTo(to: Date): Promise<AdvanceView>;
}

export interface ClockView {
  readonly now: Date;
  readonly offsetMs: number;
}

/** Work that moving the clock would do. */
export interface PlannedWork {
  readonly attempts: number;
  readonly deliveries: number;
}

export interface AdvanceView extends ClockView {
  /** How often the clock jumped. */
  readonly jumps: number;
}
