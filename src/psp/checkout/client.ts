import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Readable } from 'node:stream';
import type { AdapterOptions } from '../adapter.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';
import { loadLibrary } from '../load-library.ts';
import { type Watched, type WatchRules, watchedCall } from '../watched-call.ts';
import type { CheckoutAccount } from './credentials.ts';

/** The most that is read of an answer: a payment has about four kilobytes. */
const answerBytes = 256 * 1024;
/** And of a page of five hundred. */
const listBytes = 8 * 1024 * 1024;
/** Payments with one reference at most: ours has one, and more than one only by a fault. */
const maxPayments = 20;

type Library = typeof import('checkout-sdk-node');

/** The parts of the SDK that are used; its own types say `Object` and `any`. */
interface PaymentsApi {
  request(body: Fields, idempotencyKey: string): Promise<unknown>;
  getPaymentList(query: Fields): Promise<unknown>;
  getActions(id: string): Promise<unknown>;
  refund(id: string, body: Fields, idempotencyKey: string): Promise<unknown>;
  get(id: string): Promise<unknown>;
  search(body: Fields): Promise<unknown>;
}
interface InstrumentsApi {
  get(id: string): Promise<unknown>;
}

interface DisputesApi {
  getDetails(id: string): Promise<unknown>;
  provideEvidence(id: string, body: Fields): Promise<unknown>;
  submit(id: string): Promise<unknown>;
  accept(id: string): Promise<unknown>;
}
interface FilesApi {
  upload(body: { readonly file: Readable; readonly purpose: string }): Promise<unknown>;
}

/** A payment as the record has it, with what was done to it. */
export interface RecordedPayment {
  readonly payment: Fields;
  readonly actions: readonly Fields[];
}

/** An answer, or the words with which the SDK refused a request before it sent anything. */
export type PaymentAnswer = { readonly answer: unknown } | { readonly sdkRefusal: string };

export interface CheckoutClient {
  pay(body: Fields, idempotencyKey: string): Promise<Watched<PaymentAnswer>>;
  /** The payments with any of these references. */
  findByReference(...references: readonly string[]): Promise<Watched<readonly RecordedPayment[]>>;
  actions(paymentId: string): Promise<Watched<unknown>>;
  refund(paymentId: string, body: Fields, idempotencyKey: string): Promise<Watched<unknown>>;
  instrument(id: string): Promise<Watched<unknown>>;
  payment(id: string): Promise<Watched<unknown>>;
  search(body: Fields): Promise<Watched<unknown>>;
  /** The next page of a search, by its link behind `/payments/`. */
  searchOn(link: string): Promise<Watched<unknown>>;
  dispute(id: string): Promise<Watched<unknown>>;
  /** `name` says by its ending what it is. */
  uploadEvidence(file: Uint8Array, name: string): Promise<Watched<unknown>>;
  provideEvidence(id: string, body: Fields): Promise<Watched<unknown>>;
  submitEvidence(id: string): Promise<Watched<unknown>>;
  acceptDispute(id: string): Promise<Watched<unknown>>;
}

/** The connections of all accounts, shared by the clients of one adapter. */
export interface CheckoutPool {
  client(account: CheckoutAccount): CheckoutClient;
  close(): void;
}

export function createCheckoutPool(options: AdapterOptions): CheckoutPool {
  const { baseUrl, deadlineMs } = options;
  const pool = createAgent(baseUrl);
  const rules = { deadlineMs, answerBytes };
  return {
    close: () => pool.destroy(),
    client(account) {
      const host = baseUrl === undefined ? account.host : secureUrl(baseUrl);
      const library = loadLibrary('checkout-sdk-node') as Library;
      const watched = <Value>(bounds: WatchRules, make: (apis: Apis) => Promise<Value>) =>
        watchedCall(pool, bounds, (agent) =>
          make(apisOf(library, { account, host, agent, deadlineMs })),
        );
      const call = <Value>(make: (apis: Apis) => Promise<Value>) => watched(rules, make);
      const list = <Value>(make: (apis: Apis) => Promise<Value>) =>
        watched({ ...rules, answerBytes: listBytes }, make);
      return {
        pay: (body, idempotencyKey) =>
          call(({ payments }) => payOnce(payments, body, idempotencyKey)),
        findByReference: (...references) =>
          call(async ({ payments }) => {
            const found: RecordedPayment[] = [];
            for (const one of references) found.push(...(await readRecord(payments, one)));
            return found;
          }),
        actions: (paymentId) => call(({ payments }) => payments.getActions(paymentId)),
        refund: (paymentId, body, idempotencyKey) =>
          call(({ payments }) => payments.refund(paymentId, body, idempotencyKey)),
        instrument: (id) => call(({ instruments }) => instruments.get(id)),
        payment: (id) => call(({ payments }) => payments.get(id)),
        search: (body) => list(({ payments }) => payments.search(body)),
        searchOn: (link) => list(({ payments }) => payments.get(link)),
        dispute: (id) => call(({ disputes }) => disputes.getDetails(id)),
        uploadEvidence: (file, name) =>
          call(({ files }) =>
            files.upload({ file: streamOf(file, name), purpose: 'dispute_evidence' }),
          ),
        provideEvidence: (id, body) => call(({ disputes }) => disputes.provideEvidence(id, body)),
        submitEvidence: (id) => call(({ disputes }) => disputes.submit(id)),
        acceptDispute: (id) => call(({ disputes }) => disputes.accept(id)),
      };
    },
  };
}

/**
 * The SDK hands its agent to https alone. Another server over plain http, which only a setting can
 * name, is reached by an https address and an agent that opens plain connections.
 */
function createAgent(baseUrl: string | undefined): Agent {
  const kept = { keepAlive: true, maxSockets: 128 };
  if (baseUrl === undefined || baseUrl.startsWith('https:')) return new SecureAgent(kept);
  return Object.assign(new Agent(kept), { protocol: 'https:' });
}

function secureUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `https://${url.hostname}:${port}${url.pathname.replace(/\/$/, '')}`;
}

interface Apis {
  readonly payments: PaymentsApi;
  readonly instruments: InstrumentsApi;
  readonly disputes: DisputesApi;
  readonly files: FilesApi;
}

/** The SDK's form names the file and its type by the path of the stream. */
function streamOf(file: Uint8Array, name: string): Readable {
  return Object.assign(Readable.from([Buffer.from(file)]), { path: name });
}

/**
 * Made for each call, since the agent watches that call alone. The two classes are used without the
 * SDK's client, which would let environment variables replace the account's own key.
 */
function apisOf(
  { Disputes, Files, Instruments, Payments }: Library,
  input: {
    readonly account: CheckoutAccount;
    readonly host: string;
    readonly agent: Agent;
    readonly deadlineMs: number;
  },
): Apis {
  const { account, host, agent, deadlineMs } = input;
  const config = {
    host,
    sk: account.authorization,
    timeout: deadlineMs,
    agent,
    // The other one, fetch, takes no agent.
    httpClient: 'axios',
    // A compressed answer could grow without bound.
    headers: { 'Accept-Encoding': 'identity' },
  };
  return {
    payments: new Payments(config) as unknown as PaymentsApi,
    instruments: new Instruments(config) as unknown as InstrumentsApi,
    disputes: new Disputes(config) as unknown as DisputesApi,
    files: new Files(config) as unknown as FilesApi,
  };
}

async function payOnce(
  payments: PaymentsApi,
  body: Fields,
  idempotencyKey: string,
): Promise<PaymentAnswer> {
  try {
    return { answer: await payments.request(body, idempotencyKey) };
  } catch (error) {
    const said = error instanceof Error && error.name === 'ValueError' ? error.message : undefined;
    if (said === undefined) throw error;
    return { sdkRefusal: said };
  }
}

/** The list alone lacks response codes: those are the actions'. */
async function readRecord(
  payments: PaymentsApi,
  reference: string,
): Promise<readonly RecordedPayment[]> {
  // The SDK puts the query together as it comes.
  const query = { limit: maxPayments, skip: 0, reference: encodeURIComponent(reference) };
  const list = fieldsOf(await payments.getPaymentList(query));
  const found = list?.data;
  if (!Array.isArray(found) || list?.total_count !== found.length) {
    throw new Error('the list was not understood');
  }
  const records: RecordedPayment[] = [];
  for (const item of found) {
    const payment = fieldsOf(item) ?? {};
    const id = textOf(payment.id);
    if (id === undefined || !/^\w+$/.test(id)) throw new Error('a payment without an id');
    const actions = await payments.getActions(id);
    if (!Array.isArray(actions)) throw new Error('the actions were not understood');
    records.push({ payment, actions: actions.map((action) => fieldsOf(action) ?? {}) });
  }
  return records;
}
