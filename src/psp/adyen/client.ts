import type sdkHttp from '@adyen/api-library/lib/src/httpClient/clientInterface.js';
import type { PaymentMethodsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentMethodsRequest.js';
import type { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import { Pool } from 'undici';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { AdapterOptions } from '../adapter.ts';
import { type Exchange, exchange } from '../exchange.ts';
import type { AdyenAccount } from './credentials.ts';
import { type AdyenSdk, adyenSdk } from './sdk.ts';

/** A dispute of an account, as the Disputes API names it. */
export interface AdyenDispute {
  readonly disputePspReference: string;
  readonly merchantAccountCode: string;
}

/** A document of a defence, its content in base 64. */
export interface AdyenDocument {
  readonly content: string;
  readonly contentType: string;
  readonly defenseDocumentTypeCode: string;
}

/** The calls of Adyen's Checkout and Disputes APIs that are made, for any account. */
export interface AdyenClient {
  payments(account: AdyenAccount, request: PaymentRequest, key: string): Promise<Exchange>;
  paymentMethods(account: AdyenAccount, request: PaymentMethodsRequest): Promise<Exchange>;
  refund(
    account: AdyenAccount,
    pspReference: string,
    request: PaymentRefundRequest,
    key: string,
  ): Promise<Exchange>;
  /** By which reasons a dispute can be defended now. */
  defenseReasons(account: AdyenAccount, dispute: AdyenDispute): Promise<Exchange>;
  supplyDocuments(
    account: AdyenAccount,
    dispute: AdyenDispute,
    documents: readonly AdyenDocument[],
  ): Promise<Exchange>;
  /** Takes the document of a type away. */
  deleteDocument(
    account: AdyenAccount,
    dispute: AdyenDispute,
    defenseDocumentType: string,
  ): Promise<Exchange>;
  accept(account: AdyenAccount, dispute: AdyenDispute): Promise<Exchange>;
  defend(account: AdyenAccount, dispute: AdyenDispute, reasonCode: string): Promise<Exchange>;
  close(): Promise<void>;
}

/** One call of the library, and what became of its request. */
type Call = (
  account: AdyenAccount,
  run: (sdk: AdyenSdk, client: InstanceType<AdyenSdk['Client']>) => Promise<unknown>,
) => Promise<Exchange>;

/** Connections kept open to one address at most; more charges at once wait for one. */
const connections = 128;

/**
 * Adyen's own library writes each request and knows its address. The exchange is ours, in the place
 * where the library lets another HTTP client stand: its own opens a connection for each call, bounds
 * neither the whole time nor the answer, follows redirects, and does not tell a request that was
 * never sent from one whose answer was lost.
 */
export function createAdyenClient(
  options: Pick<AdapterOptions, 'baseUrl' | 'deadlineMs'>,
): AdyenClient {
  const pools = new Map<string, Pool>();
  const poolFor = (origin: string): Pool => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections });
    pools.set(origin, pool);
    return pool;
  };
  const call: Call = async (account, run) => {
    const sdk = adyenSdk();
    let sent: Exchange = { kind: 'not_sent', reason: 'the library of Adyen made no request' };
    const http: sdkHttp.default = {
      async request(endpoint, json, _config, _isKeyRequired, requestOptions) {
        const { origin, path } = addressOf(endpoint, options.baseUrl);
        sent = await exchange(poolFor(origin), {
          method: 'POST',
          path,
          headers: headersOf(account, requestOptions?.idempotencyKey),
          body: json.toString(),
          deadlineMs: options.deadlineMs,
          answerBytes: 4 * limits.requestBodyBytes,
        });
        // What came is judged in map.ts; the library would write parts of a broken answer to the log.
        return '';
      },
    };
    // Whatever the library makes of it, the exchange alone says what became of the request.
    await run(sdk, new sdk.Client(configOf(sdk, account), http)).catch(() => undefined);
    return sent;
  };
  return {
    payments: (account, request, key) =>
      call(account, (sdk, client) =>
        new sdk.PaymentsApi(client).payments(request, { idempotencyKey: key }),
      ),
    paymentMethods: (account, request) =>
      call(account, (sdk, client) => new sdk.PaymentsApi(client).paymentMethods(request)),
    refund: (account, pspReference, request, key) =>
      call(account, (sdk, client) =>
        new sdk.ModificationsApi(client).refundCapturedPayment(pspReference, request, {
          idempotencyKey: key,
        }),
      ),
    ...disputeCalls(call),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function disputeCalls(
  call: Call,
): Pick<
  AdyenClient,
  'defenseReasons' | 'supplyDocuments' | 'deleteDocument' | 'accept' | 'defend'
> {
  return {
    defenseReasons: (account, dispute) =>
      call(account, (sdk, client) =>
        new sdk.DisputesApi(client).retrieveApplicableDefenseReasons({ ...dispute }),
      ),
    supplyDocuments: (account, dispute, documents) =>
      call(account, (sdk, client) =>
        new sdk.DisputesApi(client).supplyDefenseDocument({
          ...dispute,
          defenseDocuments: documents.map((document) => ({ ...document })),
        }),
      ),
    deleteDocument: (account, dispute, defenseDocumentType) =>
      call(account, (sdk, client) =>
        new sdk.DisputesApi(client).deleteDisputeDefenseDocument({
          ...dispute,
          defenseDocumentType,
        }),
      ),
    accept: (account, dispute) =>
      call(account, (sdk, client) => new sdk.DisputesApi(client).acceptDispute({ ...dispute })),
    defend: (account, dispute, defenseReasonCode) =>
      call(account, (sdk, client) =>
        new sdk.DisputesApi(client).defendDispute({ ...dispute, defenseReasonCode }),
      ),
  };
}

function configOf(
  { environments }: AdyenSdk,
  { apiKey, environment, liveUrlPrefix }: AdyenAccount,
) {
  return {
    apiKey,
    environment: environment === 'live' ? environments.LIVE : environments.TEST,
    ...present({ liveEndpointUrlPrefix: liveUrlPrefix }),
  };
}

function headersOf({ apiKey }: AdyenAccount, idempotencyKey: string | undefined) {
  return {
    'x-api-key': apiKey,
    'content-type': 'application/json',
    ...present({ 'idempotency-key': idempotencyKey }),
  };
}

/** Where the library's endpoint is, with another server in its place where one is set. */
function addressOf(endpoint: string, baseUrl: string | undefined) {
  const { origin, pathname } = new URL(endpoint);
  if (baseUrl === undefined) return { origin, path: pathname };
  const other = new URL(baseUrl);
  return { origin: other.origin, path: other.pathname.replace(/\/$/, '') + pathname };
}
