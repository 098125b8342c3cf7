import type { Decline } from '../../domain/declines/decline.ts';
import type { LearnedPolicySettings } from '../../domain/merchant.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';
import type { Psp } from '../../domain/psps.ts';
import type { LearnedPolicy } from '../../policy/learned/learned-policy.ts';
import type { CardFacts, HealthCounters, PaymentFacts } from '../../policy/learned/retry-facts.ts';

/** What a payment is planned by where its merchant has the learned policy. */
export interface LearnedContext {
  readonly payment: PaymentFacts;
  /** By payment method id. */
  readonly cards: Readonly<Record<string, CardFacts>>;
  readonly policy: LearnedPolicy;
}

/** Whose past is asked for. */
export interface PayerKey {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly customerId: string;
}

/** What is kept of a payer at one merchant, beyond the payment itself. */
export interface PayerRecord {
  readonly merchantId: string;
  readonly invoiceId: string;
  /** The merchant's product of the invoice, as its report named it. */
  readonly productId?: string;
  /** Charges of the payer's other invoices, reported ones and ours, the oldest first. */
  readonly past: readonly PastRecord[];
  readonly methods: readonly MethodRecord[];
}

export interface PastRecord {
  readonly at: Date;
  readonly succeeded: boolean;
  readonly amountMinor: number;
  readonly currency: string;
  readonly psp: Psp;
  /** Of a charge of ours that failed. */
  readonly decline?: Decline;
  /** Of a reported charge: what its PSP said. */
  readonly outcome?: TransactionBody['outcome'];
}

export interface MethodRecord {
  readonly paymentMethodId: string;
  readonly scheme?: string;
  readonly fundingSource?: string;
  readonly bin?: string;
  readonly issuerCountry?: string;
}

/** Late outcomes by the first digits of the cards. */
export type HealthByBin = ReadonlyMap<string, HealthCounters>;

/** Reads of the learned policy that every plan of its merchants needs: one statement for a batch. */
export interface LearnedFacts {
  readPayers(keys: readonly PayerKey[], at: Date): Promise<readonly PayerRecord[]>;
  /** Of each merchant: charges since `from`, by BIN. */
  readHealth(
    merchantIds: readonly string[],
    from: Date,
    at: Date,
  ): Promise<ReadonlyMap<string, HealthByBin>>;
}

/** The policy of a merchant for payers of a country, with the model that is in use now. */
export type FindLearnedPolicy = (
  input: Omit<LearnedPolicySettings, 'kind' | 'windowDays' | 'maxAttempts'> & {
    readonly merchantId: string;
    readonly country?: string;
  },
) => Promise<LearnedPolicy>;
