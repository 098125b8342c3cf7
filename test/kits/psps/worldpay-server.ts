import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SeenCharge } from '../../psp/conformance.ts';
import { type PspAnswer, type PspRequest, startHttpPsp } from './http-psp.ts';
import type { TestPsp } from './test-psp.ts';
import { actOnPayment, linksOf, type WorldpayEvent } from './worldpay-actions.ts';
import { type Ending, endings } from './worldpay-payments.ts';

const entity = 'RecoupShop';
export const worldpaySecret = 'worldpay-shared-secret';
const credentials = {
  username: 'recoup',
  password: 'right-password',
  entity,
  webhook_secret: worldpaySecret,
};

export const worldpayMethods: TestPsp['methods'] = {
  success: 'tok_success',
  decline: 'tok_expired',
  declined: { category: 'fix_data', code: '54', networkCode: '54', network: 'visa' },
  lostSuccess: 'tok_lost_success',
  lostDecline: 'tok_lost_decline',
  lostBefore: 'tok_lost_before',
  notMade: ['tok_too_many', 'tok_invalid'],
  serverErrors: ['tok_error_before', 'tok_error_after'],
};

export interface WorldpayPayment {
  readonly paymentId: string;
  readonly at: Date;
  /** What was done to it since, as its record tells. */
  readonly actions: WorldpayEvent[];
  readonly ending: Ending;
  // biome-ignore lint/suspicious/noExplicitAny: a test server reads whatever came
  readonly request: any;
}

/** When it answers, by its own clock, unless a test says otherwise. */
const answeredAt = new Date('2026-11-02T10:00:00Z');

/** Worldpay's Access APIs, as much of them as charges tokens: its test environment. */
export async function startWorldpayServer(
  now: () => Date = () => answeredAt,
  /** Payments of one page of a query at most. */
  maxPageSize = 300,
): Promise<TestPsp & { readonly payments: readonly WorldpayPayment[] }> {
  const payments: WorldpayPayment[] = [];
  const taken = new Set<string>();
  const http = await startHttpPsp(
    async (request) => {
      const answer = await answerTo({ payments, taken, now, maxPageSize }, request);
      if (answer === 'broken') return answer;
      return { ...answer, headers: { ...answer.headers, date: now().toUTCString() } };
    },
    (text) => text.replace(/"cvc":"\d+"/, '"cvc":"***"'),
  );
  return {
    url: http.url,
    credentials,
    refusedCredentials: { ...credentials, password: 'wrong-password' },
    methods: worldpayMethods,
    payments,
    // Worldpay has no place for an invoice: the key that the conformance suite gives names it.
    charges: (invoiceId) =>
      payments
        .map(seen)
        .filter((charge) => !invoiceId || charge.idempotencyKey === `key-of-${invoiceId}`),
    written: http.written,
    close: http.close,
  };
}

interface State {
  readonly payments: WorldpayPayment[];
  /** References of payments. */
  readonly taken: Set<string>;
  readonly now: () => Date;
  readonly maxPageSize: number;
}

async function answerTo(state: State, request: PspRequest): Promise<PspAnswer> {
  const { url, text } = request;
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refusal;
  if (url.pathname === '/api/payments') return pay(state, JSON.parse(text));
  if (url.pathname.startsWith('/payments/')) return actOnPayment(state.payments, url, text);
  return url.searchParams.has('startDate') ? queryTime(state, url) : query(state.payments, url);
}

/** Payments of a time, the newest first, in pages that link the next one. */
function queryTime({ payments, maxPageSize }: State, url: URL): PspAnswer {
  const asked = url.searchParams;
  const [from, to] = [new Date(asked.get('startDate') ?? ''), new Date(asked.get('endDate') ?? '')];
  const isOurs = (asked.get('entityReferences') ?? entity).split(',').includes(entity);
  const all = payments.filter(({ at }) => isOurs && at > from && at < to).toReversed();
  const start = Number(asked.get('cursor') ?? 0);
  const end = start + Math.min(Number(asked.get('pageSize') ?? 20), maxPageSize);
  asked.set('cursor', String(end));
  const next = `https://try.access.worldpay.com${url.pathname}?${asked}`;
  return {
    status: 200,
    body: {
      _links: {
        self: { href: `${url.pathname}${url.search}` },
        ...(end < all.length && { next: { href: next } }),
      },
      _embedded: { payments: all.slice(start, end).map(summary) },
    },
  };
}

async function pay(
  { payments, taken, now }: State,
  request: WorldpayPayment['request'],
): Promise<PspAnswer> {
  const { transactionReference } = request;
  if (taken.has(transactionReference)) return invalid('$.transactionReference', 'duplicate');
  const method = methodOf(request);
  if (method === 'tok_too_many') {
    return fault(429, 'tooManyRequests', { 'retry-after': '30' });
  }
  if (method === 'tok_invalid') return invalid('$.instruction.value', 'fieldHasInvalidValue');
  if (method === 'tok_lost_before') return 'broken';
  if (method === 'tok_error_before') return fault(500, 'internalErrorOccurred');
  taken.add(transactionReference);
  await setImmediate();
  const ending = endings[method] ?? endings.tok_expired;
  if (ending === undefined) return fault(500, 'internalErrorOccurred');
  const paymentId = `pay${String(payments.length + 1).padStart(22, '0')}`;
  payments.push({ paymentId, ending, request, at: now(), actions: [] });
  if (method === 'tok_error_after') return fault(504, 'gatewayTimeout');
  if (method.startsWith('tok_lost_')) return 'broken';
  return {
    status: ending.status,
    body: { ...ending.answer, paymentId, transactionReference },
  };
}

function query(payments: readonly WorldpayPayment[], url: URL): PspAnswer {
  const paymentId = url.pathname.split('/')[3];
  if (paymentId !== undefined) {
    const payment = payments.find((other) => other.paymentId === paymentId);
    if (payment === undefined) return fault(404, 'paymentNotFound');
    const own = [{ eventName: 'authorizationRequested' }, payment.ending.event];
    const events = [...own, ...payment.actions].filter((event) => event !== undefined);
    return { status: 200, body: { ...summary(payment), events, _links: linksOf(payment) } };
  }
  const reference = url.searchParams.get('transactionReference');
  const found = payments.filter((payment) => payment.request.transactionReference === reference);
  return {
    status: 200,
    body: {
      _links: { self: { href: `${url.pathname}${url.search}` } },
      _embedded: { payments: found.map(summary) },
    },
  };
}

function summary({ paymentId, ending, request, at, actions }: WorldpayPayment) {
  const reference = ending.answer.schemeReference;
  return {
    timestamp: at.toISOString(),
    paymentId,
    transactionReference: request.transactionReference,
    transactionType: 'subscription',
    authorizationType: 'authorization',
    entity: request.merchant.entity,
    lastEvent: actions.at(-1)?.eventName ?? ending.lastEvent,
    ...(typeof reference === 'string' && { scheme: { reference: `${reference}  ` } }),
    paymentInstrument: { type: 'card/plain+masked', card: { brand: 'visa', countryCode: 'GB' } },
    value: request.instruction.value,
  };
}

/** What Worldpay refuses before it looks at a payment. */
function refusalOf({ method, url, headers, text }: PspRequest): PspAnswer | undefined {
  const secret = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  if (headers.authorization !== `Basic ${secret}`) return fault(401, 'accessDenied');
  if (url.pathname.startsWith('/paymentQueries/payments') && method === 'GET') {
    const isRightType = headers.accept === 'application/vnd.worldpay.payment-queries-v1.hal+json';
    return isRightType ? undefined : fault(406, 'headerHasInvalidValue');
  }
  if (url.pathname.startsWith('/payments/') && method === 'POST') {
    const isRightType = headers['content-type'] === 'application/vnd.worldpay.payments-v7+json';
    return isRightType ? undefined : fault(415, 'headerHasInvalidValue');
  }
  if (url.pathname !== '/api/payments' || method !== 'POST') return fault(404, 'resourceNotFound');
  if (headers['wp-api-version'] !== '2024-06-01') return fault(406, 'headerHasInvalidValue');
  const body = JSON.parse(text);
  if (body.merchant?.entity !== entity) return fault(400, 'entityIsNotConfigured');
  const { narrative, customerAgreement } = body.instruction;
  if (typeof narrative?.line1 !== 'string') return invalid('$.instruction.narrative', 'missing');
  return customerAgreement?.storedCardUsage === 'subsequent'
    ? undefined
    : invalid('$.instruction.customerAgreement', 'fieldIsMissing');
}

function fault(
  status: number,
  errorName: string,
  headers: Readonly<Record<string, string>> = {},
): PspAnswer {
  return { status, headers, body: { errorName, message: 'What went wrong, in words.' } };
}

function invalid(jsonPath: string, errorName: string): PspAnswer {
  const validationErrors = [{ errorName, message: 'A field is not right.', jsonPath }];
  return {
    status: 400,
    body: {
      errorName: 'bodyDoesNotMatchSchema',
      message: 'The body is invalid.',
      validationErrors,
    },
  };
}

function methodOf(request: WorldpayPayment['request']): string {
  return String(request.instruction.paymentInstrument.href).split('/').at(-1) ?? '';
}

function seen({ ending, request }: WorldpayPayment): SeenCharge {
  const { value, customerAgreement } = request.instruction;
  const { schemeReference } = customerAgreement;
  return {
    succeeded: ['sentForSettlement', 'authorized'].includes(String(ending.answer.outcome)),
    idempotencyKey: request.transactionReference,
    amountMinor: value.amount,
    currency: value.currency,
    paymentMethodId: methodOf(request),
    tokenId: methodOf(request),
    ...(schemeReference && { networkTransactionId: schemeReference }),
  };
}

/** An event as Worldpay sends it, with the header that signs it. */
export function signedEvent(
  details: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [worldpaySecret],
): { readonly text: string; readonly headers: Record<string, string> } {
  const text = JSON.stringify({
    eventId: 'bb55ca5a-e05c-47e1-8e94-e88bac1a0a17',
    eventTimestamp: '2026-11-02T09:00:00.407',
    eventDetails: {
      classification: 'payment',
      downstreamReference: '5ab7ab5b1d53',
      type: 'authorized',
      date: '2026-11-02',
      ...details,
    },
  });
  const signatures = secrets.map((secret, index) => {
    const hex = createHmac('sha256', secret).update(text).digest('hex');
    return `${index + 1}/SHA256/${hex}`;
  });
  return { text, headers: { 'event-signature': signatures.join(',') } };
}
