/** How payments at the test Worldpay end, by the last part of the token's address. */
export interface Ending {
  readonly status: 201 | 202;
  readonly answer: Readonly<Record<string, unknown>>;
  /** What the record's last event says of it. */
  readonly lastEvent: string;
  /** The event that holds the reason of a refusal. */
  readonly event?: Readonly<Record<string, unknown>>;
}

const paymentInstrument = {
  type: 'card/plain+masked',
  cardBin: '400000',
  lastFour: '1000',
  countryCode: 'GB',
  expiryDate: { year: 2035, month: 5 },
  cardBrand: 'visa',
  fundingType: 'debit',
  paymentAccountReference: '3001DBT34Q41D6J7PFC5W0UACOT4C',
  appliedNetworkToken: false,
};

const settled: Ending = {
  status: 202,
  lastEvent: 'settlementRequestSubmitted',
  answer: {
    outcome: 'sentForSettlement',
    schemeReference: '060720116005060',
    issuer: { authorizationCode: '675725' },
    riskFactors: [{ risk: 'notChecked', type: 'cvc' }],
    paymentInstrument,
    _actions: { refundPayment: { href: 'https://try.access.worldpay.com/api/payments/1/refunds' } },
  },
};

const refusedWith = (code: string, description: string, more: object = {}): Ending => ({
  status: 201,
  lastEvent: 'authorizationRefused',
  answer: {
    outcome: 'refused',
    refusalCode: code,
    refusalDescription: description,
    paymentInstrument,
    ...more,
  },
  event: { eventName: 'authorizationRefused', outcome: 'refused', code, description },
});

const expired = refusedWith('54', 'EXPIRED CARD');

const stopped = (outcome: string, lastEvent = 'authorizationRequested'): Ending => ({
  status: outcome.startsWith('sentFor') ? 202 : 201,
  lastEvent,
  answer: { outcome },
});

export const endings: Readonly<Record<string, Ending>> = {
  tok_1: settled,
  tok_success: settled,
  tok_authorized: {
    ...settled,
    status: 201,
    lastEvent: 'authorizationSucceeded',
    answer: { ...settled.answer, outcome: 'authorized' },
  },
  tok_part: {
    ...settled,
    answer: {
      ...settled.answer,
      amounts: {
        requested: 500,
        totalAuthorized: 120,
        currency: 'EUR',
        partialAuthorization: true,
      },
    },
  },
  tok_lost_success: settled,
  tok_lost_before: settled,
  tok_error_after: settled,
  tok_error_before: settled,
  tok_expired: expired,
  tok_lost_decline: expired,
  tok_do_not_honor: refusedWith('5', 'REFUSED', { advice: { code: '3' } }),
  tok_suspicion: refusedWith('34', 'FRAUD SUSPICION'),
  tok_failed: { status: 201, lastEvent: 'authorizationFailed', answer: { outcome: 'failed' } },
  tok_timed_out: { status: 201, lastEvent: 'authorizationTimedOut', answer: { outcome: 'none' } },
  tok_cancelled: stopped('sentForCancellation', 'cancellationRequestSubmitted'),
  tok_device_data: stopped('3dsDeviceDataRequired'),
  tok_challenged: stopped('3dsChallenged'),
  tok_fraud: stopped('fraudHighRisk'),
  tok_new_word: stopped('halfAuthorized'),
};
