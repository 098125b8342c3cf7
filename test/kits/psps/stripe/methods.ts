/** What becomes of a charge of a payment method of the test server. */
export type Action =
  | { readonly kind: 'success' }
  | { readonly kind: 'processing' }
  | { readonly kind: 'decline'; readonly said: DeclineSaid }
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly error: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Where the answer gets lost, or turns into something else, whatever the action made. */
export type Fault =
  | 'break_before'
  | 'break_after'
  | 'half_answer'
  | 'error_500_before'
  | 'error_500_after';

export interface DeclineSaid {
  readonly code: string;
  readonly declineCode?: string;
  readonly networkCode?: string;
  readonly networkAdvice?: string;
  readonly advice?: string;
  readonly type?: string;
  readonly reason?: string;
  readonly message: string;
}

export interface TestMethod {
  readonly action: Action;
  readonly fault?: Fault;
  readonly brand?: string;
  /** The first charge of an intent is declined so, whatever the action is of later ones. */
  readonly firstDeclined?: DeclineSaid;
  /** Null for a method that is attached to nobody; without it, the customer `cus_1`. */
  readonly customer?: string | null;
}

const success: Action = { kind: 'success' };
const insufficientFunds: DeclineSaid = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  networkCode: '51',
  advice: 'try_again_later',
  message: 'Your card has insufficient funds.',
};
const noFunds: Action = { kind: 'decline', said: insufficientFunds };

/** Payment methods by id; each does as its name says. */
export const testMethods: Readonly<Record<string, TestMethod>> = {
  pm_success: { action: success },
  pm_funds_later: { action: success, firstDeclined: insufficientFunds },
  pm_success_of_nobody: { action: success, customer: null },
  pm_success_of_other: { action: success, customer: 'cus_2' },
  pm_decline: { action: noFunds },
  pm_decline_of_nobody: { action: noFunds, customer: null },
  pm_decline_never: {
    action: {
      kind: 'decline',
      said: {
        code: 'card_declined',
        declineCode: 'do_not_honor',
        networkCode: '79',
        networkAdvice: '03',
        advice: 'do_not_try_again',
        message: 'Your card was declined.',
      },
    },
    brand: 'mastercard',
  },
  // Many acquirers pass on no code of the network's.
  pm_stolen: {
    action: {
      kind: 'decline',
      said: {
        code: 'card_declined',
        declineCode: 'stolen_card',
        message: 'Your card was declined.',
      },
    },
  },
  pm_decline_blocked: {
    action: {
      kind: 'decline',
      said: {
        code: 'card_declined',
        declineCode: 'generic_decline',
        type: 'blocked',
        reason: 'previously_declined_do_not_retry',
        message: 'Your card was declined.',
      },
    },
  },
  pm_authentication: {
    action: {
      kind: 'decline',
      said: {
        code: 'authentication_required',
        declineCode: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      },
    },
  },
  pm_processing: { action: { kind: 'processing' } },
  pm_lost_success: { action: success, fault: 'break_after' },
  pm_lost_success_of_nobody: { action: success, fault: 'break_after', customer: null },
  pm_lost_decline: { action: noFunds, fault: 'break_after' },
  pm_lost_before: { action: success, fault: 'break_before' },
  pm_half_answer: { action: success, fault: 'half_answer' },
  pm_500_before: { action: success, fault: 'error_500_before' },
  pm_500_after: { action: success, fault: 'error_500_after' },
  pm_rate_limited: {
    action: {
      kind: 'refuse',
      status: 429,
      error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' },
      headers: { 'retry-after': '7' },
    },
  },
  pm_in_flight: {
    action: {
      kind: 'refuse',
      status: 409,
      error: {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'There is currently another in-progress request using this Idempotent Key.',
      },
      headers: { 'stripe-should-retry': 'true' },
    },
  },
  pm_too_small: {
    action: {
      kind: 'refuse',
      status: 400,
      error: {
        type: 'invalid_request_error',
        code: 'amount_too_small',
        param: 'amount',
        message: 'Amount must be at least 50 cents',
      },
    },
  },
};
