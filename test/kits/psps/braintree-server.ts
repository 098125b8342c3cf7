import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { SeenCharge } from '../../psp/conformance.ts';
import { answerBraintreeDispute, answerDocumentUpload } from './braintree-disputes.ts';
import {
  type Attributes,
  type KeptTransaction,
  merchantAccounts,
  minorOf,
  outcomeOf,
  retryOf,
  transactionXml,
} from './braintree-ledger.ts';
import { document, element, type XmlValue } from './braintree-xml.ts';
import { TestDisputes } from './test-disputes.ts';
import type { TestPsp } from './test-psp.ts';

const merchantId = 'acme_gateway';
const publicKey = 'acme_public';
const privateKey = 'acme_private';

export interface BraintreeServer extends TestPsp {
  /** Whether the account has at-most-once processing; on at first. */
  allowKeys(allowed: boolean): void;
  /** Every request's method and path, in their order. */
  readonly requests: readonly string[];
  transaction(index: number): KeptTransaction | undefined;
  readonly disputes: TestDisputes;
}

interface State {
  readonly now: () => Date;
  readonly kept: KeptTransaction[];
  readonly byKey: Map<string, { readonly print: string; transaction?: KeptTransaction }>;
  readonly requests: string[];
  readonly texts: string[];
  keysAllowed: boolean;
  readonly disputes: TestDisputes;
}

/** Braintree's server as far as charges need it: its XML, its API request keys, its search. */
export async function startBraintreeServer(
  now: () => Date = () => new Date('2026-11-02T09:00:00Z'),
): Promise<BraintreeServer> {
  const state: State = {
    now,
    kept: [],
    byKey: new Map(),
    requests: [],
    texts: [],
    keysAllowed: true,
    disputes: new TestDisputes(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      void answer(state, { request, response, body: bytes.toString('utf8'), bytes });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const credentials = {
    merchant_id: merchantId,
    public_key: publicKey,
    private_key: privateKey,
    environment: 'sandbox',
    merchant_account_ids: merchantAccounts.map(({ id, currency }) => `${currency}=${id}`).join(),
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    refusedCredentials: { ...credentials, private_key: 'acme_wrong' },
    methods: {
      success: 'bt_success',
      decline: 'bt_decline_2004_net_54',
      declined: { category: 'fix_data', code: '2004', networkCode: '54', network: 'visa' },
      lostSuccess: 'bt_lost_success',
      lostDecline: 'bt_lost_decline_2001',
      lostBefore: 'bt_lost_before',
      notMade: ['bt_busy', 'bt_invalid'],
      serverErrors: ['bt_error_before', 'bt_error_after', 'bt_unavailable'],
    },
    requests: state.requests,
    disputes: state.disputes,
    transaction: (index) => state.kept.at(index),
    charges: (invoiceId) => state.kept.filter((kept) => isOf(kept, invoiceId)).map(seen),
    written: () => `${state.texts.join('\n')}\n${JSON.stringify(state.kept)}`,
    allowKeys: (allowed) => {
      state.keysAllowed = allowed;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Braintree is sent no invoice id; the suite's keys hold it. */
function isOf(kept: KeptTransaction, invoiceId: string | undefined): boolean {
  return invoiceId === undefined || kept.orderId === `key-of-${invoiceId}`;
}

function seen(kept: KeptTransaction): SeenCharge {
  return {
    succeeded: kept.status === 'submitted_for_settlement',
    idempotencyKey: kept.orderId,
    amountMinor: minorOf(kept),
    currency: kept.currency,
    paymentMethodId: kept.token,
  };
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly bytes: Buffer;
}

async function answer(state: State, call: Call): Promise<void> {
  const { request, body } = call;
  const path = request.url ?? '';
  state.requests.push(`${request.method} ${path}`);
  state.texts.push(body);
  const expected = `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`;
  if (request.headers.authorization !== expected) return void end(call, 401, '');
  if (request.headers['x-apiversion'] !== '6') return void end(call, 426, '');
  const base = `/merchants/${merchantId}`;
  if (path.startsWith(`${base}/disputes/`)) return dispute(state, call);
  if (path === `${base}/document_uploads`) return documentUpload(state, call);
  if (path === `${base}/transactions`) return sale(state, call);
  if (path === `${base}/transactions/advanced_search_ids`) return search(state, call);
  if (path === `${base}/transactions/advanced_search`) return page(state, call);
  if (path.startsWith(`${base}/transactions/`)) {
    const [, of, action] = /\/transactions\/(\w+)\/(refund|void)$/.exec(path) ?? [];
    const given = state.kept.find(({ id }) => id === of);
    if (given !== undefined) return void giveBack(call, given, action);
    const kept = everything(state).find(({ id }) => path.endsWith(`/${id}`));
    if (kept === undefined) return void end(call, 404, '');
    return void end(call, 200, document('transaction', transactionXml(kept)));
  }
  if (path.startsWith(`${base}/merchant_accounts?page=1`)) return accounts(call);
  end(call, 404, '');
}

function dispute({ disputes }: State, call: Call): void {
  const { request, body } = call;
  const { method = '', url = '' } = request;
  const given = answerBraintreeDispute(disputes, { method, path: url, body });
  if (given === 'broken') request.socket.destroy();
  else end(call, given.status, given.text);
}

function documentUpload({ disputes }: State, call: Call): void {
  const { request, bytes } = call;
  const given = answerDocumentUpload(disputes, {
    bytes,
    contentType: request.headers['content-type'],
  });
  end(call, given.status, given.text);
}

async function sale(state: State, call: Call): Promise<void> {
  const attributes = fields(JSON.parse(call.body).transaction);
  const token = String(attributes.payment_method_token);
  if (token === 'bt_lost_before') return void call.request.socket.destroy();
  if (token === 'bt_busy') return void end(call, 429, '', { 'retry-after': '7' });
  if (token === 'bt_error_before') return void end(call, 500, '');
  if (token === 'bt_unavailable') return void end(call, 503, '');
  if (token === 'bt_invalid' || attributes.transaction_source !== 'recurring') {
    return fault(call, '91518', 'Payment method token is invalid.');
  }
  const account = merchantAccounts.find(
    ({ id }) => id === (attributes.merchant_account_id ?? 'acme_usd'),
  );
  if (account === undefined) return fault(call, '91513', 'Merchant account ID is invalid.');
  const key = attributes.api_request_key;
  if (typeof key === 'string') {
    if (!state.keysAllowed) return fault(call, '915231', 'API request key is not allowed.');
    const earlier = state.byKey.get(key);
    if (earlier !== undefined) return replay(call, earlier, call.body);
    state.byKey.set(key, { print: call.body });
    // Another request with the same key finds this one on its way.
    await nextTurn();
  }
  const { status, more } = outcomeOf(token);
  const kept: KeptTransaction = {
    ...(isRepeated(state, attributes)
      ? { status: 'gateway_rejected', more: { 'gateway-rejection-reason': 'duplicate' } }
      : { status, more }),
    id: `tx${String(state.kept.length + 1).padStart(6, '0')}`,
    type: 'sale',
    createdAt: state.now(),
    orderId: String(attributes.order_id),
    amount: String(attributes.amount),
    currency: account.currency,
    merchantAccountId: account.id,
    token,
    attributes,
    refunds: [],
  };
  state.kept.push(kept);
  if (typeof key === 'string') state.byKey.set(key, { print: call.body, transaction: kept });
  if (token.startsWith('bt_lost_')) return void call.request.socket.destroy();
  if (token === 'bt_error_after') return void end(call, 500, '');
  answerTransaction(call, kept);
}

function giveBack(call: Call, kept: KeptTransaction, action: string | undefined): void {
  const isSettled = kept.status === 'settled';
  if (action === 'void' && kept.status === 'submitted_for_settlement') {
    kept.status = 'voided';
    answerTransaction(call, kept);
    return;
  }
  const { amount, order_id: orderId } = fields(JSON.parse(call.body || '{}').transaction);
  const left = kept.refunds.reduce((sum, refund) => sum - minorOf(refund), minorOf(kept));
  const refund: KeptTransaction = {
    ...kept,
    id: `re${kept.refunds.length + 1}${kept.id}`,
    type: 'credit',
    status: 'submitted_for_settlement',
    amount: String(amount),
    orderId: String(orderId),
    more: { ...kept.more, 'refunded-transaction-id': kept.id },
    refunds: [],
  };
  if (action !== 'refund' || !isSettled || minorOf(refund) > left) {
    fault(call, '91506', 'Cannot refund a transaction unless it is settled.');
    return;
  }
  kept.refunds.push(refund);
  answerTransaction(call, refund);
}

/** The duplicate check of 30 seconds, which is off where an API request key is sent. */
function isRepeated(state: State, attributes: Attributes): boolean {
  if (attributes.api_request_key !== undefined) return false;
  return state.kept.some(
    ({ orderId, amount, token }) =>
      orderId === attributes.order_id &&
      amount === attributes.amount &&
      token === attributes.payment_method_token,
  );
}

/** At-most-once processing: the present state of what the key was first sent with. */
function replay(
  call: Call,
  earlier: { readonly print: string; readonly transaction?: KeptTransaction },
  print: string,
): void {
  if (earlier.print !== print) {
    fault(call, '915232', 'API request key can be reused only with the same request.');
  } else if (earlier.transaction === undefined) {
    fault(call, '915233', 'API request key is in flight.');
  } else {
    answerTransaction(call, earlier.transaction);
  }
}

function answerTransaction(call: Call, kept: KeptTransaction): void {
  const refused = ['processor_declined', 'gateway_rejected', 'failed'].includes(kept.status);
  if (!refused) return void end(call, 201, document('transaction', transactionXml(kept)));
  const message = String(kept.more['processor-response-text'] ?? 'Gateway Rejected');
  const answerBody = { errors: { errors: [] }, message, transaction: transactionXml(kept) };
  end(call, 422, document('api-error-response', answerBody));
}

function fault(call: Call, code: string, message: string): void {
  end(call, 422, faultText(code, message));
}

/** A request refused as such: Braintree's validation errors. */
export function faultText(code: string, message: string): string {
  const errors = [{ error: { code, attribute: 'base', message } }];
  const transaction: XmlValue = { errors };
  return document('api-error-response', {
    errors: { errors: [], transaction },
    params: { transaction: { amount: '19.99' } },
    message,
  });
}

function search(state: State, call: Call): void {
  const criteria = fields(JSON.parse(call.body).search);
  const orderId = fields(criteria.order_id).is;
  const { min, max } = fields(criteria.created_at);
  const isAsked = ({ orderId: own, createdAt }: KeptTransaction) =>
    orderId === undefined
      ? createdAt >= new Date(String(min)) && createdAt <= new Date(String(max))
      : own === orderId;
  // The newest first, as Braintree has them.
  const ids = everything(state)
    .filter(isAsked)
    .toReversed()
    .map(({ id }) => ({ item: id }));
  end(call, 200, document('search-results', { 'page-size': 50, ids }));
}

function everything({ kept }: State): readonly KeptTransaction[] {
  return kept.flatMap((sale) => [sale, retryOf(sale) ?? [], ...sale.refunds].flat());
}

/** Up to fifty transactions by their ids. */
function page(state: State, call: Call): void {
  const ids = fields(JSON.parse(call.body).search).ids as readonly string[];
  if (ids.length > 50) return void end(call, 422, faultText('92600', 'Too many ids.'));
  const found = everything(state).filter(({ id }) => ids.includes(id));
  const items = found.map((kept) => element('transaction', transactionXml(kept))).join('');
  const pages = `<current-page-number type="integer">1</current-page-number><page-size type="integer">50</page-size>`;
  const total = `<total-items type="integer">${found.length}</total-items>`;
  const name = 'credit-card-transactions';
  end(call, 200, `<${name} type="collection">${pages}${total}${items}</${name}>`);
}

function accounts(call: Call): void {
  const items = merchantAccounts
    .map(({ id, currency }, index) =>
      document('merchant-account', {
        id,
        'currency-iso-code': currency,
        default: index === 0,
        status: 'active',
      }).replace(/^<\?xml[^>]*>\n/, ''),
    )
    .join('');
  const total = `<total-items type="integer">${merchantAccounts.length}</total-items>`;
  const pages = `<current-page-number type="integer">1</current-page-number><page-size type="integer">25</page-size>`;
  end(
    call,
    200,
    `<merchant-accounts type="collection">${pages}${total}${items}</merchant-accounts>`,
  );
}

function end(
  { request, response }: Call,
  status: number,
  text: string,
  more: Record<string, string> = {},
): void {
  const zips = text !== '' && request.headers['accept-encoding']?.includes('gzip') === true;
  response.writeHead(status, {
    'content-type': 'application/xml; charset=utf-8',
    ...(zips && { 'content-encoding': 'gzip' }),
    ...more,
  });
  response.end(zips ? gzipSync(text) : text);
}

function fields(value: unknown): Attributes {
  return typeof value === 'object' && value !== null ? (value as Attributes) : {};
}
