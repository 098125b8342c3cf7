import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SeenCharge } from '../../psp/conformance.ts';
import { answerAdyenDispute } from './adyen-disputes.ts';
import { type AdyenPayment, endings } from './adyen-payments.ts';
import { type PspAnswer, type PspRequest, startHttpPsp } from './http-psp.ts';
import { TestDisputes } from './test-disputes.ts';
import type { TestPsp } from './test-psp.ts';

const apiKey = 'AQE_test_key';
const merchantAccount = 'RecoupECOM';
export const adyenHmacKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

const credentials = {
  api_key: apiKey,
  merchant_account: merchantAccount,
  hmac_key: adyenHmacKey,
};

export const adyenMethods: TestPsp['methods'] = {
  success: 'stored_success',
  decline: 'stored_expired',
  declined: { category: 'fix_data', code: '6', networkCode: '54', network: 'visa' },
  lostSuccess: 'stored_lost_success',
  lostDecline: 'stored_lost_decline',
  lostBefore: 'stored_lost_before',
  notMade: ['stored_too_many', 'stored_invalid'],
  serverErrors: ['stored_error_before', 'stored_error_after'],
};

/** Adyen's Checkout API, as much of it as charges stored methods. */
export async function startAdyenServer(): Promise<
  TestPsp & { readonly payments: readonly AdyenPayment[]; readonly disputes: TestDisputes }
> {
  const payments: AdyenPayment[] = [];
  const answers = new Map<string, PspAnswer | 'in progress'>();
  const tried = new Set<string>();
  const disputes = new TestDisputes();
  const http = await startHttpPsp(async (request) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refusal;
    const defence = answerDefence(disputes, request);
    if (defence !== undefined) return defence;
    if (request.url.pathname.endsWith('/paymentMethods')) {
      return { status: 200, body: { paymentMethods: [{ name: 'Cards', type: 'scheme' }] } };
    }
    if (request.url.pathname.endsWith('/refunds')) return refund({ payments, answers }, request);
    return pay({ payments, answers, tried }, request);
  });
  return {
    url: http.url,
    credentials,
    refusedCredentials: { ...credentials, api_key: 'AQE_wrong_key' },
    methods: adyenMethods,
    payments,
    disputes,
    charges: (invoiceId) =>
      payments
        .filter((payment) => {
          const { metadata } = payment.request;
          return invoiceId === undefined || metadata?.recoup_invoice_id === invoiceId;
        })
        .map(seen),
    written: http.written,
    close: http.close,
  };
}

const defenseReasonsPath = '/ca/services/DisputeService/v30/retrieveApplicableDefenseReasons';

/** What answers a dispute, or tells how one can be answered; undefined for another request. */
function answerDefence(disputes: TestDisputes, request: PspRequest): PspAnswer | undefined {
  const { url, text } = request;
  if (url.pathname === defenseReasonsPath) {
    const { disputePspReference } = JSON.parse(text) as { disputePspReference: string };
    if (disputes.find(disputePspReference) === undefined) return defenseReasons(request);
  }
  return answerAdyenDispute(disputes, request);
}

/** A dispute that is not of the list and whose reference begins with OPEN can be defended; BUSY is for an API that is not up. */
function defenseReasons({ text }: PspRequest): PspAnswer {
  const { disputePspReference } = JSON.parse(text) as { disputePspReference: string };
  if (disputePspReference.startsWith('BUSY')) return error(500, '905', 'Internal error');
  const isOpen = disputePspReference.startsWith('OPEN');
  const defenseReason = {
    defenseReasonCode: 'SupplyCompellingEvidence',
    satisfied: false,
    defenseDocumentTypes: [{ defenseDocumentTypeCode: 'DefenseMaterial', available: false }],
  };
  return {
    status: 200,
    body: {
      disputeServiceResult: { success: isOpen, ...(!isOpen && { errorMessage: 'No defense.' }) },
      defenseReasons: isOpen ? [defenseReason] : [],
    },
  };
}

interface State {
  readonly payments: AdyenPayment[];
  readonly answers: Map<string, PspAnswer | 'in progress'>;
  /** Keys that failed once before anything was made. */
  readonly tried: Set<string>;
}

async function pay(state: State, request: PspRequest): Promise<PspAnswer> {
  const key = String(request.headers['idempotency-key'] ?? '');
  const known = state.answers.get(key);
  if (known === 'in progress') {
    return error(422, '704', 'request already processed or in progress', {
      'transient-error': 'true',
    });
  }
  if (known !== undefined) return known;
  const body = JSON.parse(request.text);
  const method = String(body.paymentMethod.storedPaymentMethodId);
  const failure = failureBefore(state, method, key);
  if (failure !== undefined) return failure;
  state.answers.set(key, 'in progress');
  await setImmediate();
  const ending = endings[method] ?? endings.stored_expired;
  const pspReference = `PSP${String(state.payments.length + 1).padStart(13, '0')}`;
  const succeeded = ending?.resultCode === 'Authorised';
  state.payments.push({ pspReference, succeeded, idempotencyKey: key, request: body });
  const answer: PspAnswer = {
    status: 200,
    headers: { 'idempotency-key': key },
    body: {
      ...ending?.fields,
      pspReference,
      resultCode: ending?.resultCode,
      amount: body.amount,
      merchantReference: body.reference,
    },
  };
  state.answers.set(key, answer);
  if (method === 'stored_error_after') return error(500, '905', 'Internal error');
  return method.startsWith('stored_lost_') ? 'broken' : answer;
}

/** Takes a refund: its outcome would come by webhook. */
function refund(state: Pick<State, 'payments' | 'answers'>, request: PspRequest): PspAnswer {
  const key = String(request.headers['idempotency-key'] ?? '');
  const earlier = state.answers.get(key);
  if (earlier !== undefined && earlier !== 'in progress') return earlier;
  const of = request.url.pathname.split('/').at(-2);
  const paid = state.payments.find((payment) => payment.pspReference === of);
  if (paid?.succeeded !== true) return error(422, '167', 'Original pspReference required');
  const { amount, reference } = JSON.parse(request.text);
  const answer: PspAnswer = {
    status: 201,
    body: {
      amount,
      merchantAccount,
      reference,
      paymentPspReference: of,
      pspReference: `REF${String(state.answers.size).padStart(13, '0')}`,
      status: 'received',
    },
  };
  state.answers.set(key, answer);
  return answer;
}

/** What goes wrong before a payment is made. */
function failureBefore(state: State, method: string, key: string): PspAnswer | undefined {
  if (method === 'stored_too_many') {
    return error(429, '029', 'Too many requests', { 'retry-after': '30' });
  }
  if (method === 'stored_invalid') return error(422, '14_030', 'Return URL is missing.');
  if (state.tried.has(key)) return undefined;
  state.tried.add(key);
  if (method === 'stored_lost_before') return 'broken';
  if (method === 'stored_error_before') {
    return error(500, '905', 'Internal error', { 'transient-error': 'true' });
  }
  return method === 'stored_transient'
    ? error(422, '905_1', 'Could not be processed now', { 'transient-error': 'true' })
    : undefined;
}

/** What Adyen refuses before it looks at a payment. */
function refusalOf({ method, url, headers, text }: PspRequest): PspAnswer | undefined {
  const isDispute = url.pathname.startsWith('/ca/services/DisputeService/v30/');
  const isKnown = isDispute || /^\/v7\d\/payment(s|Methods|s\/\w+\/refunds)$/.test(url.pathname);
  if (method !== 'POST' || !isKnown) {
    return { status: 404, body: undefined };
  }
  if (headers['x-api-key'] !== apiKey) {
    return error(401, '000', 'HTTP Status Response - Unauthorized', {}, 'security');
  }
  const body = JSON.parse(text);
  if ((isDispute ? body.merchantAccountCode : body.merchantAccount) !== merchantAccount) {
    return error(403, '901', 'Invalid Merchant Account', {}, 'security');
  }
  if (isDispute || /\/(paymentMethods|refunds)$/.test(url.pathname)) return undefined;
  if (Object.keys(body.metadata ?? {}).length > 20) {
    return error(422, '177', 'Metadata size exceeds limit');
  }
  return body.returnUrl === undefined ? error(422, '14_030', 'Return URL is missing.') : undefined;
}

function error(
  status: number,
  errorCode: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  errorType = 'validation',
): PspAnswer {
  return { status, headers, body: { status, errorCode, message, errorType } };
}

function seen({ request, succeeded, idempotencyKey }: AdyenPayment): SeenCharge {
  const networkTransactionId = request.additionalData?.networkTxReference;
  return {
    succeeded,
    idempotencyKey,
    amountMinor: request.amount.value,
    currency: request.amount.currency,
    paymentMethodId: request.paymentMethod.storedPaymentMethodId,
    ...(request.metadata && { metadata: request.metadata }),
    ...(networkTransactionId && { networkTransactionId }),
  };
}

/** One item of a standard webhook with Adyen's signature: its fields, joined by colons. */
// biome-ignore lint/suspicious/noExplicitAny: a test changes any field
export function signedItem(fields: Record<string, any> = {}, key = adyenHmacKey): object {
  const { additionalData, ...others } = fields;
  const item = {
    amount: { currency: 'EUR', value: 1_000 },
    eventCode: 'AUTHORISATION',
    eventDate: '2026-11-02T10:00:00+01:00',
    merchantAccountCode: merchantAccount,
    merchantReference: 'order-1',
    originalReference: '',
    paymentMethod: 'visa',
    pspReference: 'QFQTPCQ8HXSKGK82',
    reason: '',
    success: 'true',
    ...others,
  };
  const { pspReference, originalReference, merchantAccountCode, merchantReference } = item;
  const { amount, eventCode, success } = item;
  const signed = [pspReference, originalReference, merchantAccountCode, merchantReference]
    .concat([String(amount.value), amount.currency, eventCode, success])
    .join(':');
  return {
    NotificationRequestItem: {
      ...item,
      additionalData: { ...additionalData, hmacSignature: hmac(signed, key) },
    },
  };
}

/** Adyen's HMAC: SHA-256, the key from hexadecimal, in base 64. */
export function hmac(text: string, key = adyenHmacKey): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text, 'utf8').digest('base64');
}
