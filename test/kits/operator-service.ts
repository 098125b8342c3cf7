import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createAlertsModule } from '../../src/app/alerts/alerts-module.ts';
import { createOperatorApi } from '../../src/app/apis.ts';
import type { AppContext } from '../../src/app/context.ts';
import { domainNames } from '../../src/app/disputes/analytics.ts';
import { createAnswersApi } from '../../src/app/disputes/answers.ts';
import { createDesk } from '../../src/app/disputes/desk.ts';
import {
  createDisputesModule,
  type DisputesModule,
} from '../../src/app/disputes/disputes-module.ts';
import { createPdfQueue } from '../../src/app/documents/pdf-queue.ts';
import { startPdfThread } from '../../src/app/documents/start-pdf-thread.ts';
import { createEngine } from '../../src/app/engine.ts';
import { createMerchantModule, type MerchantModule } from '../../src/app/merchant-module.ts';
import { createFreshRollups } from '../../src/app/operator/fresh-rollups.ts';
import type { PspModule } from '../../src/app/psps/psp-module.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { OperatorRole } from '../../src/domain/access/operators.ts';
import { present } from '../../src/domain/present.ts';
import type { Metrics } from '../../src/metrics.ts';
import type { OperatorDeps } from '../../src/operator/operator-deps.ts';
import { createPspGateways } from '../../src/recovery/admin/psp-gateways.ts';
import { createPeopleApi } from '../../src/recovery/people/create-people-api.ts';
import { createPortalApi } from '../../src/recovery/people/portal-api.ts';
import { createSavedViews } from '../../src/recovery/people/saved-views.ts';
import type { CredentialsCheck, RefundResult } from '../../src/recovery/psp-ports.ts';
import { findMove } from '../../src/store/admin/merchants.ts';
import type { Database } from '../../src/store/database.ts';
import { createEmailHasher } from '../../src/store/disputes/email-hasher.ts';
import { createPeopleStore } from '../../src/store/people/people-store.ts';
import { createPortalStore } from '../../src/store/people/portal-links.ts';
import { createSavedViewStore } from '../../src/store/people/saved-views.ts';
import { credentialHasher } from '../../src/store/sealing/encryption-key.ts';
import { localKeyProvider } from '../../src/store/sealing/key-provider.ts';
import { createKeyRing, type KeyRing } from '../../src/store/sealing/key-ring.ts';
import { withoutWall } from '../../src/store/wall/merchant-databases.ts';
import { borrowOpenDatabase } from './borrowed-database.ts';
import {
  newMerchant,
  type OperatorKit,
  operatorKit,
  operatorToken,
  steppedClock,
  unused,
} from './operator-server.ts';
import { openGateway, supportedPsps } from './psp-fields.ts';

/** The operator's server on a database of its own and the real use cases; only PSPs are played. */
export interface OperatorService extends OperatorKit {
  readonly db: Database;
  /** What the PSPs answer, where a test says so. */
  readonly psp: { check?: CredentialsCheck; refund?: RefundResult };
  /** Work that was asked for in the background, by its name. */
  readonly requested: readonly { readonly name: string; readonly input: unknown }[];
  /** Does such work at once, where the worker would do it later. */
  onRequested(name: string, work: (input: unknown) => Promise<void>): void;
  /** Runs each time that an answer is made, before it is sent. */
  onAnswered(work: (request: { readonly url: string }) => Promise<void>): void;
  /** The sums of the overview are brought up to date. */
  counted(): Promise<void>;
  /** What a PSP tells of a dispute. */
  ingestDispute: DisputesModule['ingest'];
  /** Creates a merchant over the API; its id. */
  merchant(change?: object): Promise<string>;
}

const encryptionKey = '07'.repeat(32);
const environment = {
  DATABASE_URL: 'postgres://of-the-test',
  ENCRYPTION_KEY: encryptionKey,
  OPERATOR_TOKEN: operatorToken,
  SANDBOX: 'true',
};
const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };

/** Both end with the test. */
export async function operatorService(
  changes: Partial<OperatorDeps> = {},
  given: {
    readonly keys?: KeyRing;
    readonly defaultRole?: OperatorRole;
    /** Settings beside those of every test. */
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<OperatorService> {
  const { db, drop } = await borrowOpenDatabase();
  onTestFinished(drop);
  const clock = steppedClock();
  const config = parseConfig({ ...environment, ...given.environment });
  const context = contextOf(db, clock, config, given.keys);
  const merchants = merchantsOf(context);
  const psp: OperatorService['psp'] = {};
  const psps = playedPsps({ records: merchants.records, psp });
  const engine = createEngine(context, merchants, psps);
  // Who waits for a charge to end waits no time here.
  Object.assign(engine.deps, { pause: () => turn() });
  const rollups = createFreshRollups(context);
  onTestFinished(() => rollups.close());
  onTestFinished(() => merchants.close());
  const requested: { name: string; input: unknown }[] = [];
  const works = new Map<string, (input: unknown) => Promise<void>>();
  const request = (name: string) => async (input: unknown) => {
    requested.push({ name, input });
    await works.get(name)?.(input);
  };
  const alerts = createAlertsModule(context);
  onTestFinished(() => alerts.close());
  const api = createOperatorApi(context, {
    merchants,
    alerts,
    psps,
    engine,
    jobs: {
      requestReplay: request('replay'),
      requestBulk: request('bulk'),
      requestTraining: request('training'),
      requestWhatIf: request('what-if'),
      requestCheck: request('check'),
      requestReconciliation: request('reconciliation'),
      requestRotation: request('rotation'),
    },
  });
  const disputes = createDisputesModule({ db, sealer: merchants.sealer, engine });
  const pdfs = createPdfQueue(startPdfThread);
  const answers = createAnswersApi(context, {
    merchants,
    disputes,
    findAccount: psps.gateways.find,
    pdfs,
  });
  const kit = operatorKit({
    views: createSavedViews({
      store: createSavedViewStore({ db }),
      machine: changes.machine ?? context.engineTime,
      random,
    }),
    portals: createPortalApi({
      store: createPortalStore({ db }),
      machine: changes.machine ?? context.engineTime,
      clock: context.clock,
      random,
      hashCredential: context.hashCredential,
      keyMode: 'test',
    }),
    people: createPeopleApi({
      store: createPeopleStore({ db }),
      machine: changes.machine ?? context.engineTime,
      clock: context.clock,
      random,
      hashCredential: context.hashCredential,
      keyMode: 'test',
      ...present({ defaultRole: given.defaultRole }),
    }),
    db,
    api,
    clock,
    now: () => clock.at,
    machine: context.engineTime,
    sealer: merchants.sealer,
    hashEmail: createEmailHasher({
      ...{ db, sealer: merchants.sealer, random, clock: context.clock },
      domainNames,
    }),
    curves: engine.deps,
    confirmMatch: disputes.api.confirmMatch,
    answers,
    desk: createDesk(context, merchants),
    drawStatement: pdfs.draw,
    moveOf: (merchantId) => findMove(db, merchantId),
    supportedPsps: psps.supported,
    refreshSums: () => rollups.refresh(),
    settings: config,
    ...changes,
  });
  const onAnswered: ((request: { readonly url: string }) => Promise<void>)[] = [];
  kit.server.addHook('onSend', async ({ url }) => {
    for (const work of onAnswered) await work({ url });
  });
  return {
    ...kit,
    clock,
    db,
    psp,
    requested,
    onRequested: (name, work) => void works.set(name, work),
    onAnswered: (work) => void onAnswered.push(work),
    ingestDispute: disputes.ingest,
    counted: () => rollups.idle(),
    async merchant(change = {}) {
      const { json } = await kit.ask('POST', '/api/merchants', { ...newMerchant, ...change });
      return json.id;
    },
  };
}

function contextOf(
  db: Database,
  clock: ReturnType<typeof steppedClock>,
  config: Config,
  keys?: KeyRing,
): AppContext {
  const bytes = Buffer.from(encryptionKey, 'hex');
  const now = () => clock.at;
  return {
    config,
    secrets: { encryptionKey: { kind: 'local', bytes }, operatorToken },
    keys: keys ?? createKeyRing(localKeyProvider({ random }, bytes), []),
    hashCredential: credentialHasher(bytes),
    clock: { now },
    engineTime: {
      now,
      epoch: () => 0,
      heldBack: () => undefined,
      readings: () => ({ aheadMs: 0, uncertaintyMs: 0 }),
      measure: async () => {},
      onJump: () => {},
    },
    machine: { now },
    random,
    log: pino({ level: 'silent' }),
    metrics: unused<Metrics>('metrics'),
    db,
    merchantDatabases: withoutWall(db),
    wall: { kind: 'up' },
    elapsedMs: () => performance.now(),
  };
}

/** Names of addresses are not looked up: what they would be is nobody's to say here. */
function merchantsOf(context: AppContext): MerchantModule {
  const side = createMerchantModule(context);
  const isName = (url: string) => !/^\d+\.\d+\.\d+\.\d+$/.test(new URL(url).hostname);
  return {
    ...side,
    checkUrl: async (url) => (isName(url) ? { kind: 'ok' } : await side.checkUrl(url)),
  };
}

/** PSPs that take every key that is not named after what else they are to say. */
function playedPsps(parts: {
  readonly records: MerchantModule['records'];
  readonly psp: OperatorService['psp'];
}): PspModule {
  const connect: PspModule['connect'] = (connection) => {
    const gateway = openGateway(connection);
    if (gateway === undefined) return undefined;
    return {
      ...gateway,
      evidence: { kind: 'by_hand', reason: 'It has no API.' },
      acceptance: { kind: 'by_hand', reason: 'It has no API.' },
      checkCredentials: async () => parts.psp.check ?? (await gateway.checkCredentials()),
      lookUpDispute: async () => ({ kind: 'nothing' }),
      refund: async (request) => parts.psp.refund ?? (await gateway.refund(request)),
    };
  };
  return {
    connect,
    supported: supportedPsps,
    invoiceHolders: [],
    gateways: createPspGateways({ records: parts.records, connect }),
  };
}
