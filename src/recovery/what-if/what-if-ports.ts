import type { Decline } from '../../domain/declines/decline.ts';
import type { PolicySettings } from '../../domain/merchant.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Estimate } from '../../policy/evaluation/cluster-bootstrap.ts';
import type { OffPolicyEstimate, Refusal } from '../../policy/evaluation/off-policy.ts';

export const whatIfStates = ['queued', 'reading', 'testing', 'done', 'failed'] as const;
export type WhatIfState = (typeof whatIfStates)[number];

export interface WhatIfTerms {
  /** The learned policy, the merchant's own days, or tries evenly over the window. */
  readonly policy: PolicySettings['kind'];
  /** Days from the failure to the last moment of a try, 1 to 60. */
  readonly windowDays: number;
  /** Tries of a recovery, 1 to 20. */
  readonly maxAttempts: number;
  /** Of `fixed`: days after the failure, rising; those inside the window are used. */
  readonly fixedDays: readonly number[];
}

/** A what-if and how far it is. */
export interface WhatIf extends WhatIfTerms {
  readonly whatIfId: string;
  readonly merchantId: string;
  readonly state: WhatIfState;
  /** Charges read so far. */
  readonly charges: number;
  /** Why it failed; else empty. */
  readonly message: string;
  /** The last one, while the next is made too. */
  readonly result?: WhatIfResult;
  readonly requestedAt: Date;
  readonly updatedAt: Date;
  /** When the result was there. */
  readonly completedAt?: Date;
}

/** What the back-test says of the terms, on the merchant's own charges. */
export interface WhatIfResult {
  /** That were read: reported ones and ours. */
  readonly charges: number;
  /** There were more than one what-if reads. */
  readonly isCapped: boolean;
  /** Payments that failed at first. */
  readonly failures: number;
  /** Moments at which the next try had to be chosen under these terms. */
  readonly decisions: number;
  /** Share of the payers whose decisions the policy was asked; others would sharpen the intervals. */
  readonly askedShare: number;
  /** Whether the model was made from half of the payers, and judged by the other half. */
  readonly isTrained: boolean;
  readonly propensities: 'logged' | 'estimated';
  /** Of the decisions that it was asked, those at which it tries again. */
  readonly asked: number;
  readonly wouldTry: number;
  readonly medianDelayDays?: number;
  /** The tries that were made under these terms. */
  readonly logged: {
    readonly tries: number;
    readonly succeeded: number;
    readonly share?: Estimate;
  };
  /** The chance that the policy's next try succeeds. */
  readonly nextTry: OffPolicyEstimate | Refusal;
  /** The chance that it recovers a payment: weak, since a payment's choices multiply. */
  readonly payment: OffPolicyEstimate | Refusal;
  /** The same in money; absent in results of before it was told. */
  readonly money?: readonly WhatIfMoney[];
}

/** Payments of one currency that failed at first, and what would have been recovered of each on average. */
export interface WhatIfMoney {
  readonly currency: string;
  readonly payments: number;
  /** What was due of all of them, in minor units. */
  readonly amountMinor: number;
  /** Minor units of a payment. */
  readonly perPayment: OffPolicyEstimate | Refusal;
}

export interface WhatIfNote {
  readonly whatIfId: string;
  readonly state: WhatIfState;
  readonly charges: number;
  readonly message: string;
  readonly result?: WhatIfResult;
  readonly at: Date;
}

export interface WhatIfStore {
  /**
   * The one of these terms: begun anew, or the one that is under way. Who asked stands in the audit
   * log, in the same transaction.
   */
  request(
    input: WhatIfTerms & {
      readonly whatIfId: string;
      readonly merchantId: string;
      readonly at: Date;
    },
  ): Promise<WhatIf>;
  find(whatIfId: string): Promise<WhatIf | undefined>;
  note(note: WhatIfNote): Promise<void>;
}

/** One charge that ended, reported by the merchant or made by us. */
export interface RecordedCharge {
  readonly chargeId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly psp: Psp;
  readonly at: Date;
  readonly amountMinor: number;
  readonly currency: string;
  readonly succeeded: boolean;
  readonly paymentMethodId: string;
  readonly scheme?: string;
  readonly fundingSource?: string;
  readonly bin?: string;
  readonly issuerCountry?: string;
  /** Of ours. */
  readonly decline?: Decline;
  /** Of a reported one: what its PSP said. */
  readonly outcome?: TransactionBody['outcome'];
  /** The chance with which its hour was chosen, where a decision says. */
  readonly propensity?: number;
}

/** Reads a merchant's charges by whole invoices, in the order of their ids. */
export type ReadRecordedCharges = (input: {
  readonly merchantId: string;
  /** Of reports from this time on. */
  readonly from: Date;
  /** And up to this one: of a time to come, the last charge of all would end every window. */
  readonly to: Date;
  /** The last invoice of the page before. */
  readonly afterInvoice?: string;
  /** Reports that a page's invoices are taken from. */
  readonly limit: number;
}) => Promise<readonly RecordedCharge[]>;

/** A charge as the back-test takes it. */
export interface TestedCharge {
  readonly attemptId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly atMs: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly succeeded: boolean;
  readonly decline: Decline;
  readonly card: string;
  readonly brand?: string;
  readonly funding?: string;
  readonly bin?: string;
  readonly timeZone?: string;
  readonly propensity?: number;
}

/** Tests beside the event loop: charges go in page by page, and a result comes out. */
export interface Tester {
  add(charges: readonly TestedCharge[]): Promise<void>;
  test(terms: WhatIfTerms & { readonly isCapped: boolean }): Promise<WhatIfResult>;
  close(): Promise<void>;
}
