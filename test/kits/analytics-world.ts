import { createAnalyticsApi } from '../../src/app/disputes/analytics.ts';
import { createAnswersApi } from '../../src/app/disputes/answers.ts';
import { createDisputesModule } from '../../src/app/disputes/disputes-module.ts';
import { createPdfQueue } from '../../src/app/documents/pdf-queue.ts';
import { startPdfThread } from '../../src/app/documents/start-pdf-thread.ts';
import type { Psp } from '../../src/domain/psps.ts';
import type { AnalyticsApi } from '../../src/http/disputes/caller.ts';
import { createDisputesServer } from '../../src/http/disputes/create-disputes-server.ts';
import type { PspAccount } from '../../src/psp/adapter.ts';
import type { EngineDeps } from '../../src/recovery/engine/deps.ts';
import { actAs } from '../../src/store/admin/acting.ts';
import { createAnalyticsStore } from '../../src/store/disputes/analytics-store.ts';
import { createPaymentStore } from '../../src/store/engine/payment-store.ts';
import { withoutWall } from '../../src/store/wall/merchant-databases.ts';
import { newMerchant, openAdminWorld, random, rowsOf } from '../recovery/admin/admin-world.ts';
import { wideBounds } from './bounds.ts';
import { hostsOfTests } from './raw-http.ts';

export const analyticsRecord = {
  customer_email: 'jane@example.com',
  ipv4_address: '8.8.4.4',
  psp: 'stripe',
  charge_id: 'ch_1',
};

const noAcceptance = { kind: 'by_hand', reason: 'It has no API.' } as const;

export interface AnalyticsMerchant {
  readonly merchantId: string;
  readonly password: string;
  /** The Authorization header of the merchant. */
  readonly authorization: string;
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The disputes listener over a database of its own, with two merchants and a clock to be moved. */
export async function openAnalyticsWorld(
  change: Partial<AnalyticsApi> = {},
  findGateway: EngineDeps['findGateway'] = async () => undefined,
) {
  const world = await openAdminWorld();
  const lines: string[] = [];
  const note = (level: string) => (fields: object, text: string) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields)}`);
  const { db, clock, sealer, directory } = world;
  const analytics = {
    ...createAnalyticsApi({ merchantDatabases: withoutWall(db), clock, random }, { sealer }),
    ...change,
  };
  const engine = {
    deps: {
      clock,
      random,
      signLink: () => 'token',
      payments: createPaymentStore({ db, random }),
      merchants: directory,
      wake: { requests() {}, payments() {}, deliveries() {}, unknownCharges() {} },
      pause: async () => undefined,
      elapsedMs: () => 0,
      findGateway,
    },
  };
  const disputes = createDisputesModule({ db, sealer, engine });
  const accounts = new Map<Psp, Pick<PspAccount, 'evidence'> & Partial<PspAccount>>();
  const answers = createAnswersApi(
    { db, clock, random, config: { pspTimeoutMs: 10_000 } },
    {
      merchants: { sealer },
      disputes,
      findAccount: async ({ psp }) => {
        const account = accounts.get(psp);
        return account && { acceptance: noAcceptance, ...account };
      },
      pdfs: createPdfQueue(startPdfThread),
    },
  );
  const server = createDisputesServer({
    actAs,
    analytics,
    disputes: disputes.api,
    answers,
    authenticate: (merchantId, password) => directory.authenticateDisputes(merchantId, password),
    webhooks: {
      isConnected: async () => false,
      ingest: () => Promise.reject(new Error('no webhook comes here')),
    },
    hosts: hostsOfTests,
    bounds: { ...wideBounds(), webhooksPerMinute: 1_000_000 },
    clock,
    random,
    log: { debug: note('debug'), warn: note('warn'), error: note('error') },
    countWebhook() {},
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });

  async function newAnalyticsMerchant(): Promise<AnalyticsMerchant> {
    const created = await world.admin.createMerchant(newMerchant());
    const { merchantId } = created.merchant;
    const password = created.disputesPassword;
    return { merchantId, password, authorization: basic(merchantId, password) };
  }
  const first = await newAnalyticsMerchant();
  const second = await newAnalyticsMerchant();

  /** One call as the first merchant; an object is sent as JSON. */
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: first.authorization,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, headers: answer.headers };
  }

  return {
    ...world,
    url,
    port: Number(new URL(url).port),
    lines,
    /** Accounts at PSPs, of every merchant. */
    accounts,
    answers,
    first,
    second,
    call,
    disputes,
    newAnalyticsMerchant,
    store: createAnalyticsStore({ db, sealer, random }),
    /** The id that an analytics record gets. */
    async submit(body: object, headers: Record<string, string> = {}): Promise<string> {
      const { status, text } = await call('POST', '/v1/analytics/', body, headers);
      if (status !== 200) throw new Error(`${status} ${text}`);
      return (JSON.parse(text) as { id: string }).id;
    },
    rows: (text: string, values: unknown[] = []) => rowsOf(db, text, values),
    async close() {
      await server.close();
      await directory.idle();
      await world.close();
    },
  };
}

export type AnalyticsWorld = Awaited<ReturnType<typeof openAnalyticsWorld>>;
