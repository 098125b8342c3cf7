import type { PspDeclines } from '../declines/psp-decline-rows.ts';
import type { PspElementSet } from '../disputes/ce3/psp-element-set.ts';
import type { AnswerDays } from '../disputes/normalise/answer-days.ts';
import type { DisputeStage } from '../disputes/normalise/dispute-state.ts';
import type { PspDisputes } from '../disputes/normalise/psp-dispute-rows.ts';

/**
 * All that the rules know of one PSP without asking it. What calls it is in `src/psp/<psp>/`. No field
 * may be left out, not even one that is `undefined`: a fact that nobody thought of does not compile.
 */
export interface PspFacts {
  /** As people write it. */
  readonly name: string;
  /**
   * What a connection to it is for. `disputes`: it is never charged, and tells of disputes alone.
   * `simulated`: Recoup plays it itself. `never`: it charges through another PSP of the merchant's,
   * and is only named in reports.
   */
  readonly connects: 'charges' | 'disputes' | 'simulated' | 'never';
  /** Fields without which it takes no charge that the merchant initiates. */
  readonly wantedOfCharges: readonly ('network_transaction_id' | 'mid')[];
  /** Undefined: what it passes on of the network is read, then hard or soft. */
  readonly declines: PspDeclines | undefined;
  readonly invoices: {
    /** Ids that are of invoices which live there, where an id alone says so. */
    readonly ids: RegExp | undefined;
    /** Whether what a charge was paid into is one debt, so that its id is a name of that debt. */
    readonly nameOneDebt: boolean;
  };
  /** Undefined where its disputes cannot be read. */
  readonly disputes: PspDisputes | undefined;
  /** Where it names the deadline of an answer. Undefined: nowhere that is known. */
  readonly deadlineField: string | undefined;
  /** Its own days for an answer, which stand instead of the common ones of the stage. */
  readonly answerDays: Readonly<Partial<Record<DisputeStage, readonly AnswerDays[]>>>;
  /** Whether it may ask for another answer in a stage of a dispute that has one. */
  readonly asksAgain: boolean;
  /** What counts of a customer in the networks' test of prior transactions. */
  readonly elements: PspElementSet;
  /** How it takes evidence: in fields of its own, or as the PDF alone, and why. */
  readonly evidence:
    | { readonly form: 'fields' }
    | { readonly form: 'document'; readonly why: string };
}
