import type { CardDetails } from '@adyen/api-library/lib/src/typings/checkout/cardDetails.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { ChargeRequest, ChargeResult, CredentialsCheck } from '../../recovery/psp-ports.ts';
import {
  codeOf,
  type Fields,
  fieldsOf,
  idOf,
  parsedFields,
  retryAfterMs,
  textOf,
} from '../answer-fields.ts';
import { type NotMade, notMade, requestRefused, type Unknown, unknown } from '../charge-results.ts';
import type { Answered, Exchange } from '../exchange.ts';
import { adyenValue, toldMoney } from './amount.ts';
import { cardOf } from './card.ts';
import type { AdyenAccount } from './credentials.ts';
import { type AdyenRefusal, adyenDecline, isRescued, payerNeeded } from './declines.ts';

/** Longest key and longest stored method of Adyen. */
const keyLength = 64;
/** What it takes of metadata: more, and it refuses the payment. */
const maxMetadata = { entries: 20, nameLength: 20, valueLength: 80 } as const;
/** Our entry among the metadata. */
const ownName = 'recoup_invoice_id';

/**
 * Adyen asks for an address to send a payer back to with every payment. Nobody is sent: the payer
 * is not there. The name is reserved (RFC 2606), so it leads nowhere.
 */
const returnUrl = 'https://recoup.example/';

/** A value of an enum of Adyen's library, which has it only where the library is loaded. */
function ofEnum<Value extends string>(text: `${Value}`): Value {
  return text as Value;
}

/** What is sent for a charge; `not_made` where Adyen would refuse it or mean another amount. */
export function paymentRequest(
  account: AdyenAccount,
  request: ChargeRequest,
): { readonly kind: 'ready'; readonly body: PaymentRequest } | NotMade {
  const { idempotencyKey, paymentMethodId, pspCustomerId, networkTransactionId } = request;
  if (pspCustomerId === undefined) {
    return notMade('Adyen needs the shopper reference of a stored method: report customer.psp_id.');
  }
  if (idempotencyKey.length > keyLength || paymentMethodId.length > keyLength) {
    return requestRefused(
      `Adyen takes keys and stored methods of at most ${keyLength} characters.`,
    );
  }
  const value = adyenValue(request);
  if (value === undefined) {
    return notMade(`Adyen has no unit of ${request.currency} small enough for this amount.`);
  }
  return {
    kind: 'ready',
    body: {
      amount: { value, currency: request.currency },
      merchantAccount: account.merchantAccount,
      reference: idempotencyKey,
      returnUrl,
      paymentMethod: {
        type: ofEnum<CardDetails.TypeEnum.Scheme>('scheme'),
        storedPaymentMethodId: paymentMethodId,
      },
      shopperReference: pspCustomerId,
      shopperInteraction: ofEnum<PaymentRequest.ShopperInteractionEnum.ContAuth>('ContAuth'),
      recurringProcessingModel:
        ofEnum<PaymentRequest.RecurringProcessingModelEnum.Subscription>('Subscription'),
      metadata: metadataFor(request.invoiceId, request.metadata),
      ...(networkTransactionId !== undefined && {
        additionalData: { networkTxReference: networkTransactionId },
      }),
    },
  };
}

/**
 * The metadata that Adyen takes: texts, numbers and truth values, up to its limits. What is over
 * them is left out, since Adyen would refuse the whole charge for it.
 */
function metadataFor(invoiceId: string, given: JsonObject = {}): Record<string, string> {
  const { entries, nameLength, valueLength } = maxMetadata;
  const { [ownName]: _replaced, ...others } = given;
  const fitting = Object.entries({ [ownName]: invoiceId, ...others })
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => name.length <= nameLength && value.length <= valueLength);
  return Object.fromEntries(fitting.slice(0, entries));
}

/** What a charge came to. Everything that is not certain is `unknown`. */
export function chargeResult(sent: Exchange, request: ChargeRequest): ChargeResult {
  if (sent.kind === 'not_sent') return notMade(sent.reason);
  if (sent.kind === 'lost') return { kind: 'unknown', reason: sent.reason };
  const body = parsedFields(sent.text);
  return sent.status === 200 ? definiteCharge(body, request) : refusedRequest(sent, body);
}

/** What each result code means: docs.adyen.com, online-payments/payment-result-codes. */
function definiteCharge(body: Fields | undefined, request: ChargeRequest): ChargeResult {
  const resultCode = codeOf(body?.resultCode);
  if (body === undefined || resultCode === undefined || !isAnswerTo(body, request)) {
    return unknown('HTTP 200 with an answer that cannot be understood');
  }
  const pspTransactionId = idOf(body.pspReference);
  const data = fieldsOf(body.additionalData) ?? {};
  const networkTransactionId = idOf(data.networkTxReference);
  const amount = fieldsOf(body.amount);
  const ids = {
    ...present({ pspTransactionId, networkTransactionId }),
    ...cardOf(data, textOf(fieldsOf(body.paymentMethod)?.brand)),
    ...(amount !== undefined && { told: toldMoney(amount.value, amount.currency) }),
  };
  switch (resultCode) {
    case 'Authorised':
      if (pspTransactionId === undefined) break;
      return { kind: 'succeeded', ...ids, pspTransactionId };
    case 'Refused':
    case 'Error':
    case 'Cancelled':
      if (pspTransactionId === undefined) break;
      if (isRescued(data)) return unknown('Auto Rescue of Adyen is going to charge it again.');
      return { kind: 'declined', ...ids, decline: adyenDecline(refusalOf(body, resultCode)) };
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
    case 'PresentToShopper':
      return { kind: 'declined', ...ids, decline: payerNeeded(refusalOf(body, resultCode)) };
    case 'PartiallyAuthorised':
      return unknown('Adyen authorised a part of the amount: a person has to decide.');
    case 'Pending':
    case 'Received':
      return unknown(`Adyen answers ${resultCode}: the outcome comes by webhook.`);
  }
  return unknown(`HTTP 200 with the result code ${resultCode}, which says nothing certain`);
}

/**
 * An answer to another charge must not resolve this one. Adyen leaves the amount out at times; one that it tells is
 * judged by whoever asked. The reference stands in the additional data alone where the payer is to be sent elsewhere
 * (Adyen-openapi, CheckoutService-v71, the example of a redirect).
 */
function isAnswerTo(body: Fields, request: ChargeRequest): boolean {
  const data = fieldsOf(body.additionalData);
  const merchantReference = body.merchantReference ?? data?.merchantReference;
  const isWaiting = body.pspReference === undefined && merchantReference === undefined;
  if (!isWaiting && merchantReference !== request.idempotencyKey) return false;
  return body.amount === undefined || fieldsOf(body.amount) !== undefined;
}

function refusalOf(body: Fields, resultCode: string): AdyenRefusal {
  const refusalReasonCode = codeOf(body.refusalReasonCode);
  const refusalReason = textOf(body.refusalReason);
  const scheme = textOf(fieldsOf(body.paymentMethod)?.brand);
  return {
    resultCode,
    additionalData: fieldsOf(body.additionalData) ?? {},
    ...present({ refusalReasonCode, refusalReason, scheme }),
  };
}

/**
 * A request that Adyen did not take. 401, 403 and 429 come before a payment is looked at; 400 and
 * 422 are faults of the request, where Adyen says so in its own words. Not so with error 704 (a
 * request with this key was made already, or is being made) and where the header `transient-error`
 * says that the same key will answer differently: docs.adyen.com, development-resources,
 * api-idempotency.
 */
export function refusedRequest(sent: Answered, body: Fields | undefined): NotMade | Unknown {
  const errorCode = codeOf(body?.errorCode);
  const reason = `HTTP ${sent.status}${errorCode === undefined ? '' : `, error ${errorCode}`}`;
  const waitMs = retryAfterMs(sent.headers);
  const refused: NotMade = {
    ...notMade(reason),
    ...present({ retryAfterMs: waitMs }),
  };
  if (errorCode === '704') return unknown(`${reason}: this charge was sent before`);
  if (sent.status === 401 || sent.status === 403 || sent.status === 429) return refused;
  if (sent.headers['transient-error'] === 'true') return unknown(`${reason}, for now`);
  const isFault = sent.status === 400 || sent.status === 422;
  return isFault && errorCode !== undefined
    ? { ...refused, isRequestRefused: true }
    : unknown(reason);
}

/** Whether Adyen lists the account's payment methods to this key. */
export function credentialsResult(sent: Exchange, account: AdyenAccount): CredentialsCheck {
  const { merchantAccount, environment, hmacKeys } = account;
  if (sent.kind !== 'answered') return { kind: 'unreachable', reason: sent.reason };
  const body = parsedFields(sent.text);
  if (sent.status === 200 && body !== undefined) {
    const warnings = ['Without hmac_key no webhook of Adyen is taken.'];
    return {
      kind: 'accepted',
      account: merchantAccount,
      ...(hmacKeys.length === 0 && { warnings }),
    };
  }
  const errorCode = codeOf(body?.errorCode);
  const said = `HTTP ${sent.status}${errorCode === undefined ? '' : `, error ${errorCode}`}`;
  switch (sent.status) {
    case 401:
      return {
        kind: 'refused',
        reason: `Adyen's ${environment} environment does not know api_key (${said}). Keys of test and of live differ.`,
      };
    case 403:
    case 422:
      return {
        kind: 'refused',
        reason: `This api_key may not charge merchant_account (${said}): check the account's name, and that the credential has the Checkout webservice role and access to the account.`,
      };
    default:
      return { kind: 'unreachable', reason: said };
  }
}
