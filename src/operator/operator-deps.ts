import type { AnswersApi } from '../disputes/answers-api.ts';
import type { ConfirmMatch, ConfirmOutcome, DisputeStore } from '../disputes/dispute-ports.ts';
import type { RatiosInput } from '../disputes/dispute-ratios.ts';
import type { DisputeRatios, DisputeReports } from '../disputes/report-ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { HeldBack } from '../domain/held-back.ts';
import type { Random } from '../domain/random.ts';
import type { Finding } from '../recovery/checkup/finding.ts';
import type { ClockApi } from '../recovery/clock-api.ts';
import type { OperatorApi } from '../recovery/operator-api.ts';
import type { EventsRead, FollowEvents } from '../recovery/reports/follow-events.ts';
import type { LiveFeed } from '../recovery/reports/live.ts';
import type { SandboxApi } from '../recovery/sandbox-api.ts';
import type { HttpLog } from '../http/server/http-log.ts';
import type { Dashboard } from './dashboard/dashboard.ts';

/** What the operator asks of the disputes side. */
export interface OperatorDisputes extends Pick<DisputeStore, 'list' | 'show'>, Clock {
  /** Whose dispute it is. */
  merchantOf(disputeId: string): Promise<string | undefined>;
  confirmMatch(input: ConfirmMatch): Promise<ConfirmOutcome>;
  ratios(input: Omit<RatiosInput, 'now'>): Promise<readonly DisputeRatios[]>;
  netRecovery: DisputeReports['sumNetRecovery'];
}

/** What the operator's server is made of. */
export interface OperatorDeps {
  readonly api: OperatorApi;
  /** The sandbox's clock; absent outside the sandbox, where its routes answer 404. */
  readonly clock?: ClockApi;
  /** What else the sandbox can do; absent outside of it. */
  readonly sandbox?: SandboxApi;
  readonly disputes: OperatorDisputes;
  readonly answers: AnswersApi;
  readonly operatorToken: string;
  /** The service's time, which the sandbox moves. */
  now(): Date;
  /**
   * The database's time, which nobody moves: sessions end by it, in whichever process they are used.
   */
  readonly machine: Clock;
  /** What changes, for pages that listen. */
  readonly live: LiveFeed;
  /** Absent: this process serves the API alone. */
  readonly dashboard?: Dashboard;
  /** Looks for what keeps the deployment from working. */
  checkup(): Promise<readonly Finding[]>;
  /** A merchant's event log, read as it grows. */
  followEvents(input: FollowEvents): Promise<EventsRead>;
  /** Whether this process can do its work now: the database answers, the schema is there. */
  ready(): Promise<boolean>;
  /** Why this process takes no work now; undefined while it does. */
  heldBack(): HeldBack | undefined;
  /** Everything measured, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Where PSPs reach the disputes listener, without a slash at its end. */
  readonly disputesUrl: string;
  readonly random: Random;
  readonly log: HttpLog;
}
