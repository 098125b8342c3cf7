/** What Adyen's payments answer with, by the stored payment method: the fields of its API. */

/** A payment as it was asked for, field by field as it came. */
export interface AdyenPayment {
  readonly pspReference: string;
  readonly succeeded: boolean;
  readonly idempotencyKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test server reads whatever came
  readonly request: any;
}

/** How a payment ends: fields of the answer, or none where nothing is made. */
export interface Ending {
  readonly resultCode: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

const expired: Ending = {
  resultCode: 'Refused',
  fields: {
    refusalReason: 'Expired Card',
    refusalReasonCode: '6',
    additionalData: {
      paymentMethod: 'visa',
      paymentAccountReference: '50012W3XRYAJ8QH25UDRGWX2TR3FN',
      refusalReasonRaw: '54 : Expired card',
      networkTxReference: '015221789456299',
    },
  },
};

const authorised: Ending = {
  resultCode: 'Authorised',
  fields: {
    additionalData: {
      authCode: '044925',
      alias: 'H167852639363479',
      aliasType: 'Default',
      paymentMethod: 'visa',
      refusalReasonRaw: 'AUTHORISED',
      networkTxReference: '015221789456213',
      'recurring.shopperReference': 'cus_1',
    },
    paymentMethod: { brand: 'visa', type: 'scheme' },
    donationToken: 'a field that nobody knows',
  },
};

const redirect = (resultCode: string): Ending => ({
  resultCode,
  fields: {
    action: { type: 'redirect', method: 'GET', url: 'https://checkoutshopper-test.adyen.com/' },
  },
});

export const endings: Readonly<Record<string, Ending>> = {
  stored_success: authorised,
  stored_lost_success: authorised,
  stored_lost_before: authorised,
  stored_error_before: authorised,
  stored_error_after: authorised,
  stored_expired: expired,
  stored_lost_decline: expired,
  stored_advice: {
    resultCode: 'Refused',
    fields: {
      refusalReason: 'Refused',
      refusalReasonCode: '2',
      additionalData: {
        paymentMethod: 'mc',
        refusalReasonRaw: '05 : Do not honor',
        merchantAdviceCode: '03 : Do not try again',
      },
    },
  },
  stored_acquirer_error: {
    resultCode: 'Error',
    fields: { refusalReason: 'Acquirer Error', refusalReasonCode: '4' },
  },
  stored_cancelled: { resultCode: 'Cancelled', fields: { refusalReason: 'Cancelled' } },
  stored_redirect: redirect('RedirectShopper'),
  stored_challenge: redirect('ChallengeShopper'),
  stored_pending: { resultCode: 'Pending' },
  stored_received: { resultCode: 'Received' },
  stored_partial: { resultCode: 'PartiallyAuthorised' },
  stored_new_word: { resultCode: 'HalfAuthorised' },
};
