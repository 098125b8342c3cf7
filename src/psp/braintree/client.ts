import { Agent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Readable } from 'node:stream';
import type braintree from 'braintree';
import type { AdapterOptions } from '../adapter.ts';
import { type Fields, fieldsOf } from '../answer-fields.ts';
import { loadLibrary } from '../load-library.ts';
import { type Watched, watchedCall } from '../watched-call.ts';
import type { BraintreeAccount } from './credentials.ts';
import { retryIdsOf } from './transaction.ts';

/** Transactions of one charge at most: ours, refused repetitions of it, and Braintree's own retries. */
const maxTransactions = 20;
/** A page of merchant accounts; those of one business in all its currencies fit into ten. */
const maxAccountPages = 10;
/** The most that is read of an answer: a transaction has about ten kilobytes of XML. */
const answerBytes = 256 * 1024;
/** And of a page of fifty of them, or of a search's ids. */
const listBytes = 4 * 1024 * 1024;

/**
 * Calls of the whole length after which one staging of evidence begins no further piece: another one may go on with it,
 * and does not before this one is over (`maxCalls` in src/app/disputes/answers.ts).
 */
const stagingCalls = 8;

type Library = typeof braintree;

/** The parts of the SDK that are used; its published types lack most of their fields. */
interface Sdk {
  readonly config: { timeout: number; baseMerchantPath(): string };
  readonly http: {
    get(path: string): Promise<unknown>;
    post(path: string, body: Fields): Promise<unknown>;
    _partHeader(key: string, fileName: string, boundary: string): string;
    _filePart(key: string, file: unknown, boundary: string): Buffer;
  };
  readonly documentUpload: {
    create(upload: { readonly kind: string; readonly file: Readable }): Promise<unknown>;
  };
  readonly transaction: {
    sale(attributes: Fields): Promise<unknown>;
    find(id: string): Promise<unknown>;
    refund(id: string, options: Fields): Promise<unknown>;
    void(id: string): Promise<unknown>;
    search(
      fill: (search: TransactionSearch) => void,
      done: (error: unknown, found: { readonly ids?: unknown } | null) => void,
    ): void;
  };
  readonly dispute: {
    find(id: string): Promise<unknown>;
    addTextEvidence(id: string, evidence: TextEvidence): Promise<unknown>;
    addFileEvidence(id: string, evidence: FileEvidence): Promise<unknown>;
    removeEvidence(id: string, evidenceId: string): Promise<unknown>;
    finalize(id: string): Promise<unknown>;
    accept(id: string): Promise<unknown>;
  };
  readonly webhookNotification: { parse(signature: string, payload: string): Promise<unknown> };
}

interface TransactionSearch {
  orderId(): { is(text: string): void };
  createdAt(): { between(from: Date, to: Date): void };
}

/** A piece of text evidence; pieces with one number belong together. */
export interface TextEvidence {
  readonly category: string;
  readonly content: string;
  readonly sequenceNumber?: number;
}

/** A file that was uploaded, as a piece of evidence. */
export interface FileEvidence {
  readonly documentId: string;
  readonly category: string;
}

/** What a sale came to, as the SDK gives it: a transaction, errors, or both. */
export interface SaleAnswer {
  readonly success: boolean;
  readonly message?: unknown;
  readonly transaction?: unknown;
  readonly errors?: { deepErrors(): readonly { readonly code?: unknown }[] };
}

export interface BraintreeClient {
  /** A deadline for all that one charge takes: calls that are given it end by then. */
  deadline(): AbortSignal;
  sale(attributes: Fields, deadline: AbortSignal): Promise<Watched<SaleAnswer>>;
  /** The transactions with this order id and those that retry them, each as its own record now has it. */
  findByOrderId(orderId: string): Promise<Watched<readonly unknown[]>>;
  find(transactionId: string): Promise<Watched<unknown>>;
  /** Each of these transactions as its own record now has it. */
  findEach(ids: readonly string[], deadline: AbortSignal): Promise<Watched<readonly unknown[]>>;
  /** The ids of all transactions that were created in a time. */
  searchCreated(time: {
    readonly from: Date;
    readonly to: Date;
  }): Promise<Watched<readonly string[]>>;
  /** The transactions with these ids, in any order. */
  findMany(ids: readonly string[]): Promise<Watched<readonly unknown[]>>;
  refund(transactionId: string, options: Fields): Promise<Watched<SaleAnswer>>;
  /** Takes a transaction back before it is settled. */
  void(transactionId: string): Promise<Watched<SaleAnswer>>;
  dispute(id: string): Promise<Watched<unknown>>;
  addTextEvidence(id: string, evidence: TextEvidence): Promise<Watched<unknown>>;
  /** `name` says by its ending what it is. */
  uploadDocument(file: Uint8Array, name: string): Promise<Watched<unknown>>;
  addFileEvidence(id: string, evidence: FileEvidence): Promise<Watched<unknown>>;
  removeEvidence(id: string, evidenceId: string): Promise<Watched<unknown>>;
  /** For all that one staging takes: after it no further piece is begun. */
  stagingDeadline(): AbortSignal;
  finalizeDispute(id: string): Promise<Watched<unknown>>;
  acceptDispute(id: string): Promise<Watched<unknown>>;
  merchantAccounts(deadline?: AbortSignal): Promise<Watched<readonly Fields[]>>;
  /** Verifies and parses a notification. Rejects with the SDK's error. */
  parseNotification(signature: string, payload: string): Promise<unknown>;
}

/** The connections of all accounts, shared by the clients of one adapter. */
export interface BraintreePool {
  client(account: BraintreeAccount): BraintreeClient;
  close(): void;
}

export function createBraintreePool(options: AdapterOptions): BraintreePool {
  const url = options.baseUrl === undefined ? undefined : new URL(options.baseUrl);
  const kept = { keepAlive: true, maxSockets: 128 };
  const pool = url?.protocol === 'http:' ? new Agent(kept) : new SecureAgent(kept);
  const { deadlineMs } = options;
  const rules = { deadlineMs, answerBytes, onAnswer: keepFromSdk };
  return {
    close: () => pool.destroy(),
    client(account) {
      const library = loadLibrary('braintree') as Library;
      const sdkOf = (agent: Agent) => createSdk(library, account, { url, agent, rules });
      return createClient({ pool, rules, sdkOf });
    },
  };
}

/** Each call by an SDK of its own, whose connection is watched. */
function createClient({
  pool,
  rules,
  sdkOf,
}: {
  readonly pool: Agent;
  readonly rules: Parameters<typeof watchedCall>[1] & { readonly deadlineMs: number };
  readonly sdkOf: (agent: Agent) => Sdk;
}): BraintreeClient {
  const { deadlineMs } = rules;
  const call = <Value>(make: (sdk: Sdk) => Promise<Value>, deadline?: AbortSignal) =>
    watchedCall(pool, { ...rules, ...(deadline && { deadline }) }, (agent) => make(sdkOf(agent)));
  const list = <Value>(make: (sdk: Sdk) => Promise<Value>) =>
    watchedCall(pool, { ...rules, answerBytes: listBytes }, (agent) => make(sdkOf(agent)));
  return {
    deadline: () => AbortSignal.timeout(deadlineMs),
    sale: (attributes, deadline) =>
      call((sdk) => sdk.transaction.sale(attributes) as Promise<SaleAnswer>, deadline),
    refund: (transactionId, options) =>
      call((sdk) => sdk.transaction.refund(transactionId, options) as Promise<SaleAnswer>),
    void: (transactionId) =>
      call((sdk) => sdk.transaction.void(transactionId) as Promise<SaleAnswer>),
    find: (transactionId) => call((sdk) => sdk.transaction.find(transactionId)),
    findEach: (ids, deadline) => call((sdk) => readEach(sdk, ids), deadline),
    findByOrderId: (orderId) =>
      call(async (sdk) => {
        const ids = await searchIds(sdk, (search) => search.orderId().is(orderId));
        const found = await readEach(sdk, ids);
        const retries = found.flatMap((item) => retryIdsOf(fieldsOf(item) ?? {}));
        return [
          ...found,
          ...(await readEach(
            sdk,
            retries.filter((id) => !ids.includes(id)),
          )),
        ];
      }),
    searchCreated: ({ from, to }) =>
      list((sdk) => searchIds(sdk, (search) => search.createdAt().between(from, to))),
    findMany: (ids) => list((sdk) => readMany(sdk, ids)),
    dispute: (id) => call((sdk) => sdk.dispute.find(id)),
    addTextEvidence: (id, evidence) => call((sdk) => sdk.dispute.addTextEvidence(id, evidence)),
    uploadDocument: (file, name) => call((sdk) => upload(sdk, file, name)),
    addFileEvidence: (id, evidence) => call((sdk) => sdk.dispute.addFileEvidence(id, evidence)),
    removeEvidence: (id, evidenceId) => call((sdk) => sdk.dispute.removeEvidence(id, evidenceId)),
    stagingDeadline: () => AbortSignal.timeout(stagingCalls * deadlineMs),
    finalizeDispute: (id) => call((sdk) => sdk.dispute.finalize(id)),
    acceptDispute: (id) => call((sdk) => sdk.dispute.accept(id)),
    merchantAccounts: (deadline) => call(listMerchantAccounts, deadline),
    parseNotification: (signature, payload) =>
      sdkOf(pool).webhookNotification.parse(signature, payload),
  };
}

/**
 * The SDK reads a file from the disk, by the path of the stream that it is given. The bytes here are opened for this
 * call, and never lie on a disk: in this SDK, which is made for one call, they stand where it would read.
 */
function upload(sdk: Sdk, bytes: Uint8Array, name: string): Promise<unknown> {
  const { http } = sdk;
  http._filePart = (key, _file, boundary) => {
    const head = Buffer.from(http._partHeader(key, name, boundary));
    return Buffer.concat([head, bytes, Buffer.from('\r\n')]);
  };
  const file = Object.assign(Readable.from([]), { path: name });
  return sdk.documentUpload.create({ kind: 'evidence_document', file });
}

interface SdkOptions {
  readonly url: URL | undefined;
  readonly agent: Agent;
  readonly rules: { readonly deadlineMs: number };
}

/** One for each call, since its agent watches that call alone. Making it sends nothing. */
function createSdk(
  library: Library,
  account: BraintreeAccount,
  { url, agent, rules }: SdkOptions,
): Sdk {
  const { merchantId, publicKey, privateKey } = account;
  const config = {
    environment:
      url === undefined ? publicEnvironment(library, account) : environmentAt(library, url),
    merchantId,
    publicKey,
    privateKey,
    customHttpAgent: agent,
  };
  const sdk = new library.BraintreeGateway(config) as unknown as Sdk;
  // Its own is 60 s of idleness; ours, for the whole call, ends first.
  sdk.config.timeout = rules.deadlineMs;
  return sdk;
}

function publicEnvironment(
  { Environment }: Library,
  { environment }: BraintreeAccount,
): braintree.Environment {
  const { Sandbox, Production } = Environment;
  return environment === 'sandbox' ? Sandbox : Production;
}

function environmentAt({ Environment }: Library, url: URL): braintree.Environment {
  const isSecure = url.protocol === 'https:';
  const port = url.port || (isSecure ? '443' : '80');
  return new Environment(url.hostname, port, url.origin, isSecure, url.hostname, port);
}

/**
 * The SDK parses JSON, and uses an empty answer, outside of its promises: a proxy's page would end
 * this process. Every answer that is not Braintree's XML becomes a status that it rejects.
 */
function keepFromSdk(answer: IncomingMessage, bytes: number): void {
  const isXml = answer.headers['content-type']?.includes('application/xml') === true;
  if (bytes === 0 || !isXml) answer.statusCode = notXmlStatus(answer.statusCode ?? 0);
}

/** 401, 429 and the like keep their meaning without a body. */
function notXmlStatus(status: number): number {
  return [200, 201, 422].includes(status) ? 0 : status;
}

/** The search gives ids alone; its way to the transactions throws outside of its promises. */
function searchIds(
  sdk: Sdk,
  fill: (search: TransactionSearch) => void,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    sdk.transaction.search(fill, (error, found) => {
      const ids = found?.ids;
      const areIds = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
      if (error || !areIds) reject(error ?? new Error('the search was not understood'));
      else resolve(ids);
    });
  });
}

async function readEach(sdk: Sdk, ids: readonly string[]): Promise<readonly unknown[]> {
  if (ids.length > maxTransactions) throw new Error('a charge has too many transactions');
  const found: unknown[] = [];
  for (const id of ids) found.push(await sdk.transaction.find(id));
  return found;
}

/** By the SDK's own HTTP, as its search does when it is read page by page. */
async function readMany(sdk: Sdk, ids: readonly string[]): Promise<readonly unknown[]> {
  const path = `${sdk.config.baseMerchantPath()}/transactions/advanced_search`;
  const answer = (await sdk.http.post(path, { search: { ids } })) as
    | { creditCardTransactions?: Fields }
    | undefined;
  const found = answer?.creditCardTransactions?.transaction;
  const transactions = found === undefined || Array.isArray(found) ? found : [found];
  if (transactions?.length !== ids.length) throw new Error('the page was not understood');
  return transactions;
}

/** By the SDK's own HTTP: its list of them throws outside of its promises on an unknown answer. */
async function listMerchantAccounts(sdk: Sdk): Promise<readonly Fields[]> {
  const accounts: Fields[] = [];
  for (let page = 1; page <= maxAccountPages; page += 1) {
    const path = `${sdk.config.baseMerchantPath()}/merchant_accounts?page=${page}`;
    const answer = (await sdk.http.get(path)) as { merchantAccounts?: Fields } | undefined;
    const list = answer?.merchantAccounts;
    const items = list?.merchantAccount ?? [];
    const total = Number(list?.totalItems);
    if (!Number.isInteger(total)) throw new Error('the list was not understood');
    accounts.push(...((Array.isArray(items) ? items : [items]) as Fields[]));
    if (accounts.length >= total) break;
  }
  return accounts;
}
