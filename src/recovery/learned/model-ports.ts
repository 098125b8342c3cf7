import type { Decline } from '../../domain/declines/decline.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { CalibrationCounts } from '../../policy/learned/drift.ts';
import type { HolidayCalendar } from '../../policy/learned/local-time.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import type { JudgedModel } from '../../policy/learned/training/train-model.ts';
import type { DecisionRecord } from '../../policy/plan.ts';
import type { PayerKey, PayerRecord } from './ports.ts';

/** The scope of models that plan for every merchant without one of its own. */
export const allMerchants = '*';

/** A scope is a merchant's id or `allMerchants`. */
export interface ModelKey {
  readonly merchantId: string;
  readonly modelId: string;
}

export type ModelStatus = 'candidate' | 'active' | 'retired';
export const modelStatuses: readonly ModelStatus[] = ['candidate', 'active', 'retired'];

export interface ModelView extends ModelKey {
  readonly status: ModelStatus;
  /** `shipped`: it came with the service. */
  readonly origin: 'shipped' | 'trained';
  /** As `modelReport` wrote it. */
  readonly metrics: JsonObject;
  readonly drift?: CalibrationCounts;
  /** Why payments are planned by fixed schedules although it is active. */
  readonly distrust?: string;
  /** Absent beside a distrust from before this was kept. */
  readonly distrustedAt?: Date;
  readonly createdAt: Date;
  readonly activatedAt?: Date;
  /** Who made it active; absent of the shipped one, and from before this was kept. */
  readonly activatedBy?: 'operator' | 'training';
  readonly retiredAt?: Date;
}

export interface ActiveModel extends ModelKey {
  readonly model: PolicyModel;
  readonly distrust?: string;
  readonly activatedAt: Date;
}

export const trainingStates = ['queued', 'reading', 'training', 'done', 'failed'] as const;
export type TrainingState = (typeof trainingStates)[number];

/** How the last training of a scope stands. */
export interface TrainingView {
  readonly merchantId: string;
  readonly state: TrainingState;
  /** Tries read so far. */
  readonly tries: number;
  readonly message: string;
  readonly modelId?: string;
  readonly requestedAt: Date;
  readonly updatedAt: Date;
}

export type TrainingNote = Omit<TrainingView, 'requestedAt' | 'updatedAt'> & { readonly at: Date };

export interface ModelStore {
  list(): Promise<readonly ModelView[]>;
  /** Active models; those named in `known` come without having been read again. */
  readActive(known: ReadonlyMap<string, PolicyModel>): Promise<readonly ActiveModel[]>;
  /** Keeps a model as a candidate, and of its scope's old candidates the newest. */
  add(input: ModelKey & { model: PolicyModel; metrics: JsonObject; at: Date }): Promise<void>;
  /** Keeps a release's model, and makes it active for all merchants unless a trained one is. */
  ensureShipped(model: PolicyModel, at: Date): Promise<void>;
  /** Makes a model the scope's active one, and retires the one before. False: it is not there. */
  activate(input: ModelKey & { by: 'operator' | 'training'; at: Date }): Promise<boolean>;
  noteTraining(note: TrainingNote): Promise<void>;
  /** Notes that an operator asked for a training, in one transaction with the audit log. */
  requestTraining(input: { merchantId: string; at: Date }): Promise<void>;
  noteDrift(
    input: ModelKey & { counts: CalibrationCounts; distrust?: string; at: Date },
  ): Promise<void>;
  /** What was predicted and what happened of the tries of a model since `from`. */
  countTries(modelId: string, from: Date): Promise<CalibrationCounts>;
}

/** A payment under recovery with its tries, as training reads it. */
export interface TrainingPayment extends PayerKey {
  readonly amountMinor: number;
  readonly currency: string;
  readonly failedAt: Date;
  readonly windowEndsAt: Date;
  readonly createdAt: Date;
  readonly maxAttempts: number;
  readonly firstDecline: Decline;
  /** The failed event's own, the one that failed at the front. */
  readonly paymentMethodIds: readonly string[];
  /** When methods were last reported as renewed, by their ids. */
  readonly renewedAt: ReadonlyMap<string, Date>;
  /** Those that reached a PSP, the oldest first. */
  readonly attempts: readonly TrainingAttempt[];
}

export interface TrainingAttempt {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly decision?: DecisionRecord;
  readonly charges: readonly {
    readonly paymentMethodId: string;
    readonly succeeded: boolean;
    readonly decline?: Decline;
    readonly sentAt: Date;
  }[];
}

export interface TrainingReads {
  /** Merchants that have payments; `learnedOnly`: whose policy is the learned one. */
  listMerchants(input: { learnedOnly: boolean }): Promise<readonly string[]>;
  /** A merchant's payments with tries, the newest first, after the last one of the page before. */
  readPayments(input: {
    merchantId: string;
    after?: Pick<TrainingPayment, 'createdAt' | 'invoiceId'>;
    limit: number;
  }): Promise<readonly TrainingPayment[]>;
  readPayers(keys: readonly PayerKey[], at: Date, max: number): Promise<readonly PayerRecord[]>;
  /** Payments whose merchant called them off, and the days that all of them were open. */
  readWaiting(
    merchantIds: readonly string[],
    at: Date,
  ): Promise<{ readonly cancelled: number; readonly openDays: number }>;
}

/** Trains beside the event loop: rows go in batch by batch, and a model comes out. */
export interface Trainer {
  add(rows: readonly TrainingRow[]): Promise<void>;
  train(input: TrainInput): Promise<Trained>;
  close(): Promise<void>;
}

export interface TrainInput {
  readonly version: string;
  readonly calendar: HolidayCalendar;
  /** What the new model has to beat. */
  readonly present: PolicyModel;
}

export interface Trained {
  readonly model: PolicyModel;
  /** Both on the same held-out tries. */
  readonly candidate: JudgedModel;
  readonly present: JudgedModel;
}
