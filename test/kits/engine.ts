import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, onTestFinished } from 'vitest';
import { earlierOf, laterOf } from '../../src/domain/clock.ts';
import {
  daysOf,
  type Merchant,
  type MerchantAuth,
  type PolicyChoices,
  policyOf,
  sharesOf,
} from '../../src/domain/merchant.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../src/domain/payment-event.ts';
import type { RequestId } from '../../src/domain/request-id.ts';
import type { EventType } from '../../src/domain/states.ts';
import type { EndpointPause } from '../../src/domain/webhooks/endpoint-pause.ts';
import { createMerchantClient } from '../../src/merchant/merchant-client.ts';
import { createSandboxAdapter } from '../../src/psp/sandbox/adapter.ts';
import type { SandboxCharge } from '../../src/psp/sandbox/server/charge.ts';
import { startSandboxPsp } from '../../src/psp/sandbox/server/sandbox-server.ts';
import type { EventView, PaymentView } from '../../src/recovery/api.ts';
import { signCustomerLink } from '../../src/recovery/customers/customer-link.ts';
import { createSignedTokens } from '../../src/recovery/customers/signed-token.ts';
import type { SendableEndpoint } from '../../src/recovery/endpoints/endpoint-ports.ts';
import {
  acceptPayment,
  acceptPaymentMethodUpdate,
  type IngestDeps,
} from '../../src/recovery/intake/ingest.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createDebtStore } from '../../src/store/debts/debt-store.ts';
import { earliestDue } from '../../src/store/due-times.ts';
import { createAnswerStore } from '../../src/store/engine/answer-store.ts';
import { createDeliveryStore } from '../../src/store/engine/delivery-store.ts';
import { createPaymentStore } from '../../src/store/engine/payment-store.ts';
import { createUnknownChargeStore } from '../../src/store/engine/unknown-charge-store.ts';
import { createRequestLog } from '../../src/store/intake/request-log.ts';
import { listEvents } from '../../src/store/views/event-views.ts';
import { showPayment } from '../../src/store/views/payment-views.ts';
import { worldStart } from './billing-events.ts';
import { borrowTestDatabase } from './borrowed-database.ts';
import { findFaults, readLedger, sandboxApiKey } from './engine-faults.ts';
import { type FakeMerchant, startFakeMerchant } from './fake-merchant.ts';
import { fixedPolicy } from './fixed-policy.ts';
import { tamper } from './tamper.ts';
import { createWorker, leaseMs, pspTimeoutMs, type Worker, type WorkerDeps } from './worker.ts';

/** Short for those that wait for it, and long for a machine that is busy with other tests. */
const merchantTimeoutMs = 5_000;

export const random = { bytes: (count: number) => randomBytes(count) };

/** Stands still until a test moves it. */
export function manualClock(start = worldStart) {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    set(at: Date) {
      nowMs = at.getTime();
    },
    passMs(durationMs: number) {
      nowMs += durationMs;
    },
  };
}

export interface MerchantOptions {
  readonly policy?: Partial<PolicyChoices>;
  readonly endOfDunning?: boolean;
  readonly customerActionEvents?: boolean;
  readonly customerPageUrl?: string;
  readonly messagesOn?: boolean;
  readonly webhookQuickSends?: boolean;
  readonly webhookPause?: EndpointPause;
  readonly auth?: MerchantAuth;
  readonly psps?: Merchant['psps'];
}

/** Of a world, beside its merchant's. */
export interface WorldOptions extends MerchantOptions {
  readonly keepAddress?: NonNullable<IngestDeps['keepAddress']>;
}

export interface EndpointOptions {
  readonly eventTypes: readonly EventType[];
  readonly quickSends?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pauseAfterDays?: number;
}

export interface TestEndpoint {
  readonly endpointId: string;
  readonly server: FakeMerchant;
}

export interface TestMerchant {
  readonly merchantId: string;
  readonly server: FakeMerchant;
}

export interface EngineWorld extends TestMerchant, Worker {
  readonly db: Database;
  readonly connectionString: string;
  readonly clock: ReturnType<typeof manualClock>;
  /** Every line that the engine logged, with its fields as JSON. */
  readonly log: readonly string[];
  /** Another worker on the same database, with some of its parts exchanged. */
  worker(change?: (deps: WorkerDeps) => Partial<WorkerDeps>): Worker;
  addMerchant(options?: MerchantOptions): Promise<TestMerchant>;
  /** A further endpoint of the world's merchant, at a server of its own. */
  addEndpoint(options: EndpointOptions): Promise<TestEndpoint>;
  changeMerchant(merchantId: string, options: MerchantOptions): void;
  submit(event: PaymentEventBody, uuid?: string): Promise<RequestId>;
  submitUpdate(body: PaymentMethodUpdateBody): Promise<RequestId>;
  /** As a webhook of the PSP tells of it. */
  submitPspUpdate(body: PaymentMethodUpdateBody): Promise<void>;
  /** Moves the clock from due time to due time, and does what is due at each. */
  runUntil(at: Date, worker?: Worker): Promise<void>;
  payment(invoiceId?: string): Promise<PaymentView>;
  events(): Promise<readonly EventView[]>;
  /** The PSP's own record, oldest first. */
  ledger(invoiceId?: string): Promise<readonly SandboxCharge[]>;
  rows<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** What is wrong with the record as it stands, in words; nothing, unless the engine is. */
  faults(): Promise<readonly string[]>;
  /** Safe to call twice: a test that opens many worlds closes each, and its end does so again. */
  close(): Promise<void>;
}

const signingSecret = 'whsec_test';
/** As the service's pepper makes them, of another key. */
export const tokens = createSignedTokens(
  { hashCredential: (text) => `hash of ${text}` },
  'customer link, v1',
);

/**
 * For the top of a test file: what opens a world for a test. The file's worlds come one after
 * another and share a database, emptied in between: a new one for each would cost a second.
 */
export function useEngineWorld(): (options?: WorldOptions) => Promise<EngineWorld> {
  let base: WorldBase | undefined;
  afterAll(async () => {
    await base?.db.close();
    // Autovacuum may be at work in it, and cannot be ended; it goes with the run's cluster then.
    await base?.drop().catch(() => undefined);
  });
  return async (options = {}) => {
    base ??= await openBase();
    const world = await openWorld(base, options);
    onTestFinished(() => world.close());
    return world;
  };
}

interface WorldBase {
  readonly connectionString: string;
  readonly db: Database;
  readonly log: string[];
  drop(): Promise<void>;
}

async function openBase(): Promise<WorldBase> {
  const { connectionString, nearString, drop } = await borrowTestDatabase();
  const log: string[] = [];
  const warn = (message: string) => log.push(message);
  return {
    connectionString,
    db: openDatabase({ log: { warn } }, { connectionString: nearString, poolSize: 6 }),
    log,
    drop,
  };
}

/** Each table after those that refer to it. */
const tables = [
  'merchant_moves',
  'reconciliation_charges',
  'reconciliation_pages',
  'reconciliations',
  'restore_checks',
  'audit_log',
  'audit_heads',
  'what_ifs',
  'replays',
  'bulk_actions',
  'incidents',
  'models',
  'trainings',
  'dispute_matches',
  'dispute_changes',
  'disputes',
  'psp_events',
  'psp_event_notes',
  'closed_invoices',
  'debt_identities',
  'credentials',
  'secrets',
  'psp_connections',
  'data_keys',
  'delivery_tries',
  'deliveries',
  'endpoint_delivery_tries',
  'endpoint_deliveries',
  'endpoints',
  'events',
  'event_counters',
  'card_attempts',
  'cards',
  'network_fees',
  'psp_transactions',
  'attempts',
  'customer_messages',
  'message_threads',
  'message_suppressions',
  'message_templates',
  'message_settings',
  'customer_addresses',
  'customer_contacts',
  'archived_payments',
  'archive_progress',
  'payments',
  'card_messages',
  'card_notices',
  'subscription_cards',
  'payment_methods',
  'transactions',
  'requests',
  'control_entries',
  'control_totals',
  'control_differences',
  'statements',
  'merchants',
];

/** The engine with a real database, a real sandbox PSP and a real merchant's server. */
async function openWorld(
  base: WorldBase,
  { keepAddress, ...options }: WorldOptions,
): Promise<EngineWorld> {
  const { db, log, connectionString } = base;
  log.length = 0;
  const clock = manualClock();
  const psp = await startSandboxPsp(
    { clock, random },
    { host: '127.0.0.1', port: 0, apiKey: sandboxApiKey },
  );
  const adapter = createSandboxAdapter({
    baseUrl: psp.url,
    apiKey: sandboxApiKey,
    deadlineMs: pspTimeoutMs,
  });
  const client = createMerchantClient({
    allow: ['127.0.0.1/32'],
    timeoutMs: merchantTimeoutMs,
    elapsedMs: () => performance.now(),
    clock,
  });
  const servers: FakeMerchant[] = [];
  const merchants = new Map<string, { merchant: Merchant; auth: MerchantAuth }>();
  const endpoints = new Map<string, SendableEndpoint>();
  const write = (kind: string) => (fields: object, message: string) =>
    log.push(`${kind} ${message} ${JSON.stringify(fields)}`);
  const deps: WorkerDeps = {
    clock,
    random,
    signLink: signCustomerLink(tokens),
    payments: createPaymentStore({ db, random }),
    debts: createDebtStore(db),
    answers: createAnswerStore({ db, random }),
    deliveries: createDeliveryStore(db),
    endpointDeliveries: createDeliveryStore(db, 'endpoint_deliveries'),
    unknownCharges: createUnknownChargeStore(db),
    requestLog: createRequestLog({ db, random }),
    merchants: {
      findMerchant: async (merchantId) => merchants.get(merchantId)?.merchant,
      merchantSecrets: async (merchantId) => ({
        auth: merchants.get(merchantId)?.auth ?? { type: 'none' },
        signingSecrets: [signingSecret],
      }),
    },
    endpoints: {
      async findEndpoint({ endpointId }) {
        const [kept] = await rows<object>(
          'select 1 from endpoints where endpoint_id = $1 and removed_at is null',
          [endpointId],
        );
        return kept === undefined ? undefined : endpoints.get(endpointId);
      },
    },
    merchantClient: client,
    findGateway: async ({ psp }) => (psp === 'sandbox' ? adapter.connect({}) : undefined),
    wake: { requests() {}, payments() {}, deliveries() {}, unknownCharges() {} },
    log: { info: write('info'), warn: write('warn') },
    settings: { attemptLeaseMs: leaseMs, pspTimeoutMs },
    time: { epoch: () => 0 },
    pause: (durationMs) => pause(durationMs),
    elapsedMs: () => performance.now(),
    countForeignAttempt: () => void log.push('counted a foreign attempt'),
    countSend: () => {},
  };

  async function addMerchant(more: MerchantOptions = {}): Promise<TestMerchant> {
    const server = await startFakeMerchant({ signingSecret, now: clock.now });
    servers.push(server);
    const merchantId = `mer_test_${merchants.size + 1}`;
    const { retryStatusUrl, webhookUrl } = server;
    merchants.set(merchantId, {
      auth: more.auth ?? { type: 'none' },
      merchant: {
        merchantId,
        name: 'Test',
        retryStatusUrl,
        webhookUrl,
        policy: policyOf({ ...fixedPolicy, shares: {}, ...more.policy }),
        endOfDunning: more.endOfDunning ?? false,
        customerActionEvents: more.customerActionEvents ?? false,
        ...(more.messagesOn === true && { messagesOn: true }),
        ...(more.customerPageUrl !== undefined && { customerPageUrl: more.customerPageUrl }),
        webhookQuickSends: more.webhookQuickSends ?? false,
        psps: more.psps ?? ['sandbox'],
        createdAt: worldStart,
      },
    });
    await rows(
      `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind,
         window_days, max_attempts, fixed_days, created_at, updated_at, customer_action_events)
       values ($1, 'Test', 'http://127.0.0.1', 'http://127.0.0.1', 'fixed', 28, 8, '{1}', $2, $2, $3)`,
      [merchantId, worldStart, more.customerActionEvents ?? false],
    );
    return { merchantId, server };
  }

  async function addEndpoint(more: EndpointOptions): Promise<TestEndpoint> {
    const endpointId = `ept_test_${endpoints.size + 1}`;
    const secret = `whsec_of_${endpointId}`;
    const server = await startFakeMerchant({ signingSecret: secret, now: clock.now });
    servers.push(server);
    const { eventTypes, quickSends = false, headers = {}, pauseAfterDays } = more;
    endpoints.set(endpointId, {
      endpoint: { url: server.webhookUrl, quickSends },
      secrets: { auth: { type: 'none' }, signingSecrets: [secret], headers },
    });
    await rows(
      `insert into endpoints (merchant_id, endpoint_id, url, event_types, quick_sends,
         pause_after_days, auth_type, header_names, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, 'none', '{}', $7, $7)`,
      [
        ...[merchantId, endpointId, server.webhookUrl, eventTypes, quickSends],
        ...[pauseAfterDays, clock.now()],
      ],
    );
    return { endpointId, server };
  }

  async function rows<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await db.pool.query(text, [...values]);
    return result.rows as Row[];
  }

  const own = await addMerchant(options);
  const { merchantId } = own;
  const engine = createWorker(deps, merchantId);
  const ledger = (invoiceId?: string) => readLedger(psp.url, invoiceId);

  return {
    ...own,
    ...engine,
    db,
    connectionString,
    clock,
    log,
    worker: (change = () => ({})) => createWorker({ ...deps, ...change(deps) }, merchantId),
    addMerchant,
    addEndpoint,
    changeMerchant(id, { auth, ...change }) {
      const known = merchants.get(id);
      if (known === undefined) throw new Error(`no merchant ${id}`);
      const { policy: before } = known.merchant;
      const choices = { ...before, fixedDays: daysOf(before), shares: sharesOf(before) };
      const policy = policyOf({ ...choices, ...change.policy });
      merchants.set(id, {
        auth: auth ?? known.auth,
        merchant: { ...known.merchant, ...change, policy },
      });
    },
    submit: (body, uuid = randomUUID()) =>
      acceptPayment(
        { ...deps, log: deps.requestLog, ...(keepAddress !== undefined && { keepAddress }) },
        { merchantId, body, uuid },
      ),
    submitUpdate: (body) =>
      acceptPaymentMethodUpdate(
        { ...deps, log: deps.requestLog },
        { merchantId, body, uuid: randomUUID() },
      ),
    async submitPspUpdate(body) {
      const told = { kind: 'payment_method_update', channel: 'psp', body } as const;
      const received = { uuid: randomUUID(), receivedAt: clock.now() };
      await deps.requestLog.append({ merchantId, ...told, ...received });
    },
    async runUntil(at, worker = engine) {
      for (;;) {
        await worker.settle();
        const now = clock.now();
        const next = (await nextMoment(db, now)) ?? at;
        if (next.getTime() >= at.getTime() && now.getTime() >= at.getTime()) return;
        // Of several that run at once, the first one to be there has moved the clock.
        clock.set(laterOf(clock.now(), earlierOf(next, at)));
      }
    },
    async payment(invoiceId = 'in_1') {
      const view = await showPayment(db, { merchantId, invoiceId });
      if (view === undefined) throw new Error(`no payment ${invoiceId}`);
      return view;
    },
    events: async () => (await listEvents(db, { merchantId, limit: 1_000 })).items,
    ledger,
    rows,
    faults: () => findFaults(db, ledger),
    close: once(async () => {
      await client.close();
      await adapter.close();
      await Promise.all(servers.map((server) => server.close()));
      await psp.close();
      await empty(db);
    }),
  };
}

/** The audit log refuses to be emptied, by triggers that the owner of its tables can switch off. */
async function empty(db: Database): Promise<void> {
  await tamper(
    db.pool,
    ['audit_log', 'audit_heads'],
    [
      ...tables.map((name) => `delete from ${name}`),
      "update history_trims set through_at = '-infinity'",
    ],
  );
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** When something next falls due, or a lease ends that a worker left behind. */
async function nextMoment(db: Database, now: Date): Promise<Date | undefined> {
  const due = await earliestDue(db);
  if (due === undefined || due.getTime() > now.getTime()) return due;
  const jobs = ['requests', 'payments', 'psp_transactions', 'deliveries', 'endpoint_deliveries'];
  const leases = jobs.map((name) => `select lease_until from ${name}`).join(' union all ');
  const text = `select min(lease_until) as at from (${leases}) l where lease_until > $1`;
  const result = await db.pool.query<{ at: Date | null }>(text, [now]);
  return result.rows[0]?.at ?? undefined;
}
