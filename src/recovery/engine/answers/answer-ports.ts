import type { Psp } from '../../../domain/psps.ts';
import type {
  AttemptOutcome,
  NewEvent,
  OpenAttempt,
  OpenTransaction,
  PaymentOutcome,
  TransactionOutcome,
} from '../../engine-ports.ts';
import type { NewIncident } from '../../incidents/incident-ports.ts';

/** A charge of ours in whatever state, with what it may get in the way of. */
export interface AnsweredCharge {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly psp: Psp;
  /** Of the account that it was sent through; absent where that is not known. */
  readonly isLive?: boolean;
  readonly attempt: OpenAttempt;
  readonly transaction: OpenTransaction;
  /** Another charge of the same debt that succeeded, by its key. */
  readonly otherSuccess?: string;
  /** Whether another attempt of the payment is under way. */
  readonly isBeside: boolean;
  /** Whether the attempt's result was told to the merchant. */
  readonly isTold: boolean;
}

/**
 * What an answer changes that comes after its charge was resolved, or that no step of the engine
 * may record: all of it in one transaction. Compare-and-set on the payment as it was read and on
 * the charge's state.
 */
export interface LateAnswer {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly fence: number;
  readonly revision: number;
  readonly at: Date;
  readonly charge: AnsweredCharge;
  readonly transaction?: TransactionOutcome & { readonly contradicts?: boolean };
  readonly attempt?: AttemptOutcome & { readonly contradicts?: boolean };
  /** Where the payment goes. Absent: it stays where it is. */
  readonly payment?: PaymentOutcome;
  /** One more try in the count of a payment that stays where it is. */
  readonly isTry?: boolean;
  /** Nothing more is charged: what is under way ends, and then the payment. */
  readonly stops?: boolean;
  readonly events: readonly NewEvent[];
  readonly incident?: NewIncident;
}

export interface AnswerStore {
  /** Of the rows of a key the one that may stand for a charge, else the last one never made. */
  find(input: {
    readonly merchantId: string;
    readonly idempotencyKey: string;
  }): Promise<AnsweredCharge | undefined>;
  /** `changed`: nothing was written; the charge or its payment moved since they were read. */
  record(answer: LateAnswer): Promise<'recorded' | 'changed'>;
}
