import { deliveryStates, type EventType } from '../../domain/states.ts';
import type { AuditEntry } from '../admin/ports.ts';
import type { Page } from '../api.ts';

/** The state of the deliveries that are meant; `any`: delivered ones too. */
export const replayStatuses = [...deliveryStates, 'any'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

/** Which of a merchant's deliveries are meant: of events created in [from, until), by state and type. */
export interface ReplayScope {
  readonly merchantId: string;
  readonly from: Date;
  readonly until: Date;
  readonly status: ReplayStatus;
  /** Absent: of any type. */
  readonly type?: EventType;
  /** A further endpoint; absent: the merchant's own webhook address. */
  readonly endpointId?: string;
}

/** Deliveries that are sent again together, and what became of them. */
export interface Replay extends ReplayScope {
  readonly replayId: string;
  /** `running`: some are still to be queued. */
  readonly state: 'running' | 'done';
  /** Deliveries that were meant when it was asked for. */
  readonly matched: number;
  /** Of them queued again so far. The rest of these count what became of the queued. */
  readonly queued: number;
  /** Not sent yet. */
  readonly waiting: number;
  readonly delivered: number;
  /** Sent, not accepted, and sent again every 12 hours for 7 days. */
  readonly failing: number;
  /** Not accepted in those 7 days either, or set aside. */
  readonly exhausted: number;
  /** Taken over by a later replay. */
  readonly superseded: number;
  readonly requestedAt: Date;
  readonly endedAt?: Date;
}

/** An end left out is now: what is created later is no part of it. */
export type AskedReplay = Omit<ReplayScope, 'until'> & { readonly until?: Date };

export interface ReplaysApi {
  /** Has deliveries of a merchant sent again, with the same bodies and ids. */
  beginReplay(asked: AskedReplay): Promise<Replay>;
}

export interface ListReplays {
  readonly merchantId: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface ReplayStore {
  count(scope: ReplayScope): Promise<number>;
  /** Notes it with its line of the audit log. */
  begin(input: {
    readonly replayId: string;
    readonly scope: ReplayScope;
    readonly at: Date;
    readonly audit: AuditEntry;
  }): Promise<Replay>;
  find(key: {
    readonly merchantId: string;
    readonly replayId: string;
  }): Promise<Replay | undefined>;
  /** The newest first. */
  list(input: ListReplays): Promise<Page<Replay>>;
  /** Queues some deliveries of the merchant's oldest replay that runs; how many, 0 where none runs. */
  step(input: {
    readonly merchantId: string;
    readonly at: Date;
    readonly limit: number;
  }): Promise<{ readonly queued: number; readonly isOver: boolean }>;
}
