/** A payment method that may be charged. */
export interface RetryPaymentMethod {
  /** Its id at the PSP. */
  readonly id?: string;
  /** The network's id of the first successful transaction with it. */
  readonly network_transaction_id?: string;
  /** The card's first four to six digits. */
  readonly bin?: string;
  readonly token?: {
    readonly id?: string;
    /** Two digits. */
    readonly expiration_month?: string;
    /** Two digits. */
    readonly expiration_year?: string;
    readonly card_validation_number?: string;
  };
  readonly billing_address?: {
    readonly name?: string;
    readonly city?: string;
    readonly state?: string;
    readonly zip?: string;
    readonly phone?: string;
  };
}

/** What to charge, where it is not what was reported. */
export interface RetryTerms {
  /** In major units, such as 12.23; never more than is owed. Default: what is owed. */
  readonly amount?: number;
  /** Passed on to the PSP. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Tried in this order, at most ten in one attempt. Default: those that were reported. */
  readonly payment_methods?: readonly RetryPaymentMethod[];
}

/** Your answer to the final check. Nothing is charged without `retry`. */
export type RetryDecision =
  | ({ readonly kind: 'retry'; readonly reason: string } & RetryTerms)
  | { readonly kind: 'do_not_retry'; readonly reason: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number };

/** The reasons that the contract names; any other text may be agreed with the operator. */
export const stopReasons = {
  userCancelation: 'User Cancelation',
  dunningWindowReached: 'Dunning Window Reached',
  userRecovered: 'User Recovered via Payment Method Update',
  invoiceForgiven: 'User Outstanding Invoice Forgiven',
} as const;

/** Yes: charge it now, on these terms. */
export function retry(terms: RetryTerms & { readonly reason?: string } = {}): RetryDecision {
  return { ...terms, kind: 'retry', reason: terms.reason ?? 'Invoice open' };
}

/** No: end the recovery of this invoice. */
export function doNotRetry(reason: string): RetryDecision {
  return { kind: 'do_not_retry', reason };
}

/** There is no such invoice: end its recovery. */
export function invoiceNotFound(): RetryDecision {
  return { kind: 'not_found' };
}

/** Not now: ask again after so many seconds. */
export function rateLimited(retryAfterSeconds: number): RetryDecision {
  return { kind: 'rate_limited', retryAfterSeconds };
}

/** What is wrong with a decision, as plain JavaScript may make one; undefined for a right one. */
export function decisionFault(decision: RetryDecision): string | undefined {
  switch (decision?.kind) {
    case 'retry': {
      const { amount, reason } = decision;
      if (typeof reason !== 'string') return 'reason has to be a text';
      const isAmount = amount === undefined || (Number.isFinite(amount) && amount > 0);
      return isAmount ? undefined : 'amount has to be a number greater than 0';
    }
    case 'do_not_retry':
      return typeof decision.reason === 'string' ? undefined : 'reason has to be a text';
    case 'not_found':
      return undefined;
    case 'rate_limited': {
      const seconds = decision.retryAfterSeconds;
      const isWhole = Number.isSafeInteger(seconds) && seconds >= 0;
      return isWhole ? undefined : 'retryAfterSeconds has to be a whole number of seconds';
    }
    default:
      return 'it has to come from retry, doNotRetry, invoiceNotFound or rateLimited';
  }
}
