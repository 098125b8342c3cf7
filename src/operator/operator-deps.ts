import type { AnswersApi } from '../disputes/answers-api.ts';
import type { DeskApi } from '../disputes/desk/desk-ports.ts';
import type { ConfirmMatch, ConfirmOutcome, HashEmail } from '../disputes/dispute-ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { DatabaseAway, HeldBack, NotServing, RefusedWrites } from '../domain/held-back.ts';
import type { Random } from '../domain/random.ts';
import type { BoundsDeps, BoundsSettings } from '../http/bounds/bounds.ts';
import type { HttpLog } from '../http/server/http-log.ts';
import type { StatementDocument } from '../recovery/accounting/statement-document.ts';
import type { Finding } from '../recovery/checkup/finding.ts';
import type { ClockApi } from '../recovery/clock-api.ts';
import type { CurveDeps } from '../recovery/learned/payment-outlook.ts';
import type { MerchantMove, OperatorApi, SupportedPsps } from '../recovery/operator-api.ts';
import type { PeopleApi } from '../recovery/people/people-api.ts';
import type { PortalApi } from '../recovery/people/portal-api.ts';
import type { SavedViewsApi } from '../recovery/people/saved-views.ts';
import type { LiveFeed } from '../recovery/reports/live.ts';
import type { SandboxApi } from '../recovery/sandbox-api.ts';
import type { Database, Queryable } from '../store/database.ts';
import type { Sealer } from '../store/sealing/sealer.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { OpenExports } from './exports/open-exports.ts';
import type { OperatorCaller } from './session/authorize.ts';
import type { SignInProvider } from './sign-in/sign-in-provider.ts';

/** What a process says of itself to whoever asks. */
export interface ProbeDeps {
  /** Why nobody should send this process anything: it starts, or ends; undefined while it serves. */
  notServing(): NotServing | undefined;
  /** Why the database cannot be worked with now; undefined while it answers and the schema is there. */
  databaseAway(): Promise<DatabaseAway | undefined>;
  /** Why the database takes no writes now; undefined while it does. */
  writesRefused(): Promise<RefusedWrites | undefined>;
  /** Why this process takes no work now; undefined while it does. */
  heldBack(): HeldBack | undefined;
  /** Everything measured, in Prometheus' text format. */
  metrics(): Promise<string>;
}

/** What the operator's server is made of. */
export interface OperatorDeps extends ProbeDeps {
  /** What reads ask: each names its own statement. */
  readonly db: Database;
  /** What reports ask: they may be some seconds behind what was just written. */
  readonly reports: Queryable;
  /** What changes something. */
  readonly api: OperatorApi;
  /** The sandbox's clock; absent outside the sandbox, where its routes answer 404. */
  readonly clock?: ClockApi;
  /** What else the sandbox can do; absent outside of it. */
  readonly sandbox?: SandboxApi;
  /** A person's choice of the analytics record that belongs to a dispute. */
  confirmMatch(input: ConfirmMatch): Promise<ConfirmOutcome>;
  readonly answers: AnswersApi;
  /** What operators note of disputes for each other. */
  readonly desk: DeskApi;
  /** A merchant's month as a PDF. @throws AppError service_busy where too many documents wait */
  drawStatement(document: StatementDocument): Promise<Uint8Array>;
  /** Opens signing secrets, of which a hint is shown. */
  readonly sealer: Pick<Sealer, 'open'>;
  readonly supportedPsps: SupportedPsps;
  /** Finds payers by their e-mail address, which is kept as a hash alone. */
  readonly hashEmail: HashEmail;
  /** What a model's plan is shown by. */
  readonly curves: CurveDeps;
  /** A merchant's way out of this cell; undefined while it is here and stays, and of one that there is not. */
  moveOf(merchantId: string): Promise<MerchantMove | undefined>;
  /** Begins to bring the kept sums up to date; nobody waits for it. */
  refreshSums(): void;
  readonly settings: {
    readonly learnedPolicy: boolean;
    readonly webhookSignatureValidityMs: number;
  };
  /** Operators and their tokens. */
  readonly people: PeopleApi;
  readonly views: SavedViewsApi;
  /** Links to merchants' portals. */
  readonly portals: PortalApi;
  readonly operatorToken: string;
  /** Where operators may sign in too. */
  readonly signInProvider?: SignInProvider;
  /** How browsers reach this server, without a slash at its end. */
  operatorUrl(): string;
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
  /** Where PSPs reach the disputes listener, without a slash at its end. */
  readonly disputesUrl: string;
  /** Names by which this server may be asked, beside loopback and addresses in digits. */
  readonly hosts: readonly string[];
  /** Addresses and networks of proxies whose word of the sender is believed. */
  readonly proxies?: readonly string[];
  readonly bounds: BoundsDeps & { readonly settings: BoundsSettings };
  readonly random: Random;
  readonly log: HttpLog;
}

/** What an endpoint behind the door is given: also who asks. */
export interface OperatorContext extends OperatorDeps {
  readonly caller: OperatorCaller;
  readonly exports: OpenExports;
}
