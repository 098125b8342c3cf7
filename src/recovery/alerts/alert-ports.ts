import type { AlertKind, AlertSeverity } from '../../domain/alerts/alert-kinds.ts';
import type { AuditEntry } from '../admin/ports.ts';

/** An alert as it is kept and told: in words, by the name under which it is the same one again. */
export interface ToldAlert {
  readonly key: string;
  readonly kind: AlertKind;
  readonly count: number;
  readonly title: string;
  readonly detail: string;
  /** The service's time, as the alert itself has it. */
  readonly at: Date;
  readonly merchantId?: string;
  readonly merchantName?: string;
}

/** One that is seen now, or was until a moment ago. Times are the database's, which nobody moves. */
export interface AlertState extends ToldAlert {
  readonly firstSeenAt: Date;
  /** Since when it is not seen any more. */
  readonly goneAt?: Date;
}

/** What a channel was told of an alert last. */
export interface Notice {
  readonly key: string;
  readonly channelId: string;
  readonly toldAt: Date;
  readonly toldCount: number;
}

/** Which alerts go to a channel: those that fit each of what is given. */
export interface AlertRoute {
  readonly routeId: string;
  readonly channelId: string;
  readonly severities?: readonly AlertSeverity[];
  readonly kinds?: readonly AlertKind[];
  /** Only what is about one of these merchants. Absent: also what is about none. */
  readonly merchants?: readonly string[];
  /** While an alert lasts it is told again so long after it was told last. */
  readonly repeatMs: number;
  /** Whether the channel is told that an alert has ended. */
  readonly tellsResolved: boolean;
  readonly createdAt: Date;
}

export interface AlertSilence {
  readonly silenceId: string;
  /** Absent: every kind. */
  readonly kind?: AlertKind;
  /** Absent: whoever it is about, and what is about nobody. */
  readonly merchantId?: string;
  readonly reason: string;
  /** The operator's id, or `operator` for the holder of the one token. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly endsAt: Date;
}

export const channelKinds = ['email', 'slack', 'webhook'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Where a channel sends to; kept sealed. */
export type ChannelTarget =
  | { readonly kind: 'email'; readonly to: readonly string[] }
  | { readonly kind: 'slack'; readonly url: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string };

export interface AlertChannel {
  readonly channelId: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** What of its target may be shown. */
  readonly hint: string;
  readonly isPaused: boolean;
  readonly createdAt: Date;
  readonly lastSentAt?: Date;
  /** Since when no message was taken. */
  readonly failingSince?: Date;
  readonly lastError?: string;
}

/** A channel with what opens: what sends needs. */
export interface OpenChannel extends AlertChannel {
  readonly target: ChannelTarget;
}

export interface AlertItem extends ToldAlert {
  readonly state: 'firing' | 'resolved' | 'test';
}

/** What a channel is told at one time. */
export interface AlertMessage {
  readonly messageId: string;
  readonly channelId: string;
  readonly items: readonly AlertItem[];
  readonly createdAt: Date;
}

export const messageStates = ['pending', 'sent', 'given_up'] as const;

/** A message as it is kept. */
export interface SentMessage extends AlertMessage {
  readonly state: (typeof messageStates)[number];
  readonly tries: number;
  readonly nextTryAt?: Date;
  readonly endedAt?: Date;
  readonly lastError?: string;
}

/** A message that was claimed; `fence` says whose claim is the last one. */
export interface DueMessage extends AlertMessage {
  /** This one included. */
  readonly tries: number;
  readonly fence: number;
}

export type SendOutcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed';
      readonly detail: string;
      /** The others have it, and whom it did not reach nothing does: it is not sent again. */
      readonly isLast?: true;
    };

/** Sends one message. It never rejects for what the other side does. */
export type SendAlerts = (target: ChannelTarget, message: AlertMessage) => Promise<SendOutcome>;

/** What is known before a look: how things stood, and who is to be told what. */
export interface WatchedAlerts {
  readonly states: readonly AlertState[];
  readonly notices: readonly Notice[];
  readonly routes: readonly AlertRoute[];
  readonly silences: readonly AlertSilence[];
  readonly channels: readonly AlertChannel[];
}

/** What a look came to. */
export interface AlertDecision {
  readonly states: readonly AlertState[];
  /** Keys of alerts that have ended; their notices go with them. */
  readonly ended: readonly string[];
  readonly notices: readonly Notice[];
  readonly messages: readonly Omit<AlertMessage, 'messageId' | 'createdAt'>[];
}

export interface AlertWatchStore {
  /** Whether a look would count: the last one began before `since`. */
  isTime(input: { readonly at: Date; readonly since: Date }): Promise<boolean>;
  /**
   * One look for all processes: `decide` is called in a transaction that holds the watch, if it is
   * time, and what it gives is kept with it. False where another process has looked. It asks
   * the database for nothing: it holds a connection already, which may be the only one.
   */
  look(
    input: { readonly at: Date; readonly since: Date },
    decide: (known: WatchedAlerts) => Promise<AlertDecision>,
  ): Promise<boolean>;
  /** Channels and routes, for a process that cannot read them any more when it needs them. */
  readRouting(at: Date): Promise<{
    readonly channels: readonly OpenChannel[];
    readonly routes: readonly AlertRoute[];
    readonly silences: readonly AlertSilence[];
  }>;
  claimDue(input: {
    readonly at: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
  }): Promise<readonly DueMessage[]>;
  /** `nextTryAt` undefined for one that failed: it is given up. A lost claim changes nothing. */
  recordSend(input: {
    readonly message: DueMessage;
    readonly outcome: SendOutcome;
    readonly at: Date;
    readonly nextTryAt?: Date | undefined;
  }): Promise<void>;
}

export interface NewChannel {
  readonly name: string;
  readonly target: ChannelTarget;
}

export interface ChannelChange {
  readonly name?: string;
  readonly target?: ChannelTarget;
  readonly isPaused?: boolean;
}

export interface NewRoute extends Omit<AlertRoute, 'routeId' | 'createdAt'> {}

/** Each write is one transaction, together with its line of the audit log. */
export interface AlertSettingsStore {
  findChannel(channelId: string): Promise<OpenChannel | undefined>;
  insertChannel(channel: OpenChannel, audit: AuditEntry): Promise<void>;
  /** `decide` is given the channel as it stands, which nobody changes until that is kept; undefined where there is none. */
  changeChannel(
    channelId: string,
    decide: (before: OpenChannel) => { readonly channel: OpenChannel; readonly audit: AuditEntry },
  ): Promise<OpenChannel | undefined>;
  /** Its routes and messages go with it. */
  removeChannel(channelId: string, audit: AuditEntry): Promise<boolean>;
  /** False where its channel is not there. */
  insertRoute(route: AlertRoute, audit: AuditEntry): Promise<boolean>;
  removeRoute(routeId: string, audit: AuditEntry): Promise<boolean>;
  insertSilence(silence: AlertSilence, audit: AuditEntry): Promise<void>;
  endSilence(silenceId: string, at: Date, audit: AuditEntry): Promise<boolean>;
  /** A test, whose outcome is known; of a channel that was removed meanwhile the audit log alone tells. */
  insertTest(message: SentMessage, audit: AuditEntry): Promise<void>;
}
