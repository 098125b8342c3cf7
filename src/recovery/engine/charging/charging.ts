import type { OpenTransaction } from '../../engine-ports.ts';
import type { ChargeResult } from '../../psp-ports.ts';
import type { AttemptInput } from '../attempt-steps.ts';
import type { Check } from '../check-with-merchant.ts';

/** The merchant's yes, with what it names. */
export type Yes = Extract<Check, { kind: 'retry' }>;

/** An attempt that charges methods, one after the other, under one yes. */
export interface Charging extends AttemptInput {
  readonly check: Yes;
}

/** A charge and its answer, with whether real money moves at the account that it was sent through. */
export interface AnsweredCharge {
  readonly result: ChargeResult;
  readonly transaction: OpenTransaction;
  readonly isLive?: boolean;
}
