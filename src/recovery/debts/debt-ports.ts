import type { Psp } from '../../domain/psps.ts';
import type { EndedDebt, InvoiceKey } from '../intake-ports.ts';

/** A payment under the lease that `fence` names, before any charge of its attempt. */
export interface HeldPayment extends InvoiceKey {
  readonly fence: number;
}

export interface LearnPspInvoice extends HeldPayment {
  readonly psp: Psp;
  readonly pspInvoiceId: string;
  readonly at: Date;
}

/** What is learned of a debt while it is recovered. */
export interface DebtStore {
  /**
   * The debt's invoice at its PSP, which the PSP itself named. A recovery that has that invoice already
   * is of the same debt: of the two one goes on. `ended` where the debt is known to be paid or closed.
   */
  learnPspInvoice(
    input: LearnPspInvoice,
  ): Promise<Pick<EndedDebt, 'reason' | 'detail'> | undefined>;
  /** The PSP has no invoice for the failed charge. */
  noteNoPspInvoice(input: HeldPayment): Promise<void>;
}
