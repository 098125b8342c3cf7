import { type Logger, pino } from 'pino';
import { createRecoveryApi } from '../../app/apis.ts';
import type { AppContext } from '../../app/context.ts';
import { createEngine, type Engine } from '../../app/engine.ts';
import { createMerchantModule } from '../../app/merchant-module.ts';
import { createPspAdapters } from '../../app/psps/psp-adapters.ts';
import { createPspModule } from '../../app/psps/psp-module.ts';
import { createPspWebhookApi } from '../../app/psps/psp-webhooks.ts';
import { parseConfig } from '../../config.ts';
import type { PspWebhookApi } from '../../http/disputes/disputes-deps.ts';
import type { Metrics } from '../../metrics.ts';
import type { PspAccount } from '../../psp/adapter.ts';
import { createPspRegistry } from '../../psp/registry.ts';
import { createSandboxAdapter } from '../../psp/sandbox/adapter.ts';
import { createAdminApi } from '../../recovery/admin/admin-api.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { AdminApi } from '../../recovery/operator-api.ts';
import { createAdminStore } from '../../store/admin/admin-store.ts';
import { createActionLog } from '../../store/admin/audit-log.ts';
import { openDatabase } from '../../store/database.ts';
import { credentialHasher } from '../../store/sealing/encryption-key.ts';
import { localKeyProvider } from '../../store/sealing/key-provider.ts';
import { createKeyRing } from '../../store/sealing/key-ring.ts';
import { withoutWall } from '../../store/wall/merchant-databases.ts';
import { clientOf } from '../database/simulated-client.ts';
import type { SimulatedDatabase } from '../database/simulated-database.ts';
import type { Planted } from '../planted/planted.ts';
import type { Draws } from '../schedule/draws.ts';
import { createMachine, type Machine, type MachineInput } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Wire } from '../wire/wire.ts';
import { WireDispatcher } from '../wire/wire-dispatcher.ts';
import { createKeptClock, type KeptClock } from './kept-clock.ts';
import { checkRestoredBackup, withRestoreHold } from './restore-hold.ts';

/** One process of the service: the real parts, on a machine, a wire and a database of the simulation. */
export interface ServiceProcess {
  readonly machine: Machine;
  readonly engine: Engine;
  readonly recovery: RecoveryApi;
  readonly webhooks: PspWebhookApi;
  readonly admin: AdminApi;
  readonly context: AppContext;
  readonly time: KeptClock;
  /** As the job that RESTORED_FROM asks for: whether the check is over. */
  checkRestored(): Promise<boolean>;
}

export interface ProcessDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly wire: Wire;
  readonly database: SimulatedDatabase;
  readonly planted?: Planted | undefined;
  /** The database's clock, as a question over the network finds it. */
  readonly askTime: (machine: Machine) => Promise<number>;
}

export const origins = {
  sandbox: 'http://sandbox.psp.test',
  stripe: 'http://stripe.psp.test',
  worldpay: 'http://worldpay.psp.test',
} as const;

/** Merchants' servers have addresses in this network. */
export const merchantNetwork = '10.9.0.0/16';

/** A loop looks by itself once a day: whoever moves the time rings when something falls due. */
const pollMs = 24 * 3_600_000;

export const serviceConfig = parseConfig({
  DATABASE_URL: 'postgres://simulated',
  ENCRYPTION_KEY: '00'.repeat(32),
  OPERATOR_TOKEN: 'operator-token-of-the-simulation',
  OUTBOUND_ALLOW: merchantNetwork,
  STRIPE_URL: origins.stripe,
  WORLDPAY_URL: origins.worldpay,
});

/** What is counted for Prometheus is nobody's to look at here. */
const noMetrics = new Proxy({}, { get: () => () => undefined }) as Metrics;

export interface ProcessInput extends MachineInput {
  /** RESTORED_FROM, where it is set. */
  readonly restoredFrom?: Date | undefined;
}

export function startServiceProcess(deps: ProcessDeps, input: ProcessInput): ServiceProcess {
  const machine = createMachine(deps.scheduler, input);
  const write = (line: string) => deps.scheduler.note(`${machine.name} log ${line.trim()}`);
  const log = pino({ level: 'info', base: null, timestamp: false }, { write });
  const time = createKeptClock({
    scheduler: deps.scheduler,
    machine,
    log,
    restMs: 2 * serviceConfig.pspTimeoutMs,
    askTime: () => deps.askTime(machine),
  });
  return machine.run(() => {
    const own = withRestoreHold(contextOf(deps, { machine, log, time }), input.restoredFrom);
    const parts = joinParts(deps.planted?.context?.(own.context) ?? own.context, deps.planted);
    const start = async () => {
      await own.begin();
      parts.engine.startLoops();
    };
    void time.awake().then(() => machine.run(start));
    const checkRestored = async () => {
      await own.begin();
      return checkRestoredBackup(parts.context, parts.engine);
    };
    return { machine, time, checkRestored, ...parts };
  });
}

const encryptionKey = { kind: 'local', bytes: new Uint8Array(32) } as const;

function contextOf(
  { draws, wire, database }: ProcessDeps,
  {
    machine,
    log,
    time,
  }: { readonly machine: Machine; readonly log: Logger; readonly time: KeptClock },
): AppContext {
  const db = openDatabase(
    { log: { warn: (message) => log.warn(message) } },
    { connectionString: 'simulated', poolSize: 4, Client: clientOf(database, machine) },
  );
  const random = draws.fork(machine.name);
  return {
    config: serviceConfig,
    secrets: { encryptionKey, operatorToken: '' },
    keys: createKeyRing(localKeyProvider({ random }, encryptionKey.bytes), []),
    hashCredential: credentialHasher(encryptionKey.bytes),
    clock: time.clock,
    engineTime: time.clock,
    machine: machine.wall,
    random,
    log,
    metrics: noMetrics,
    db,
    merchantDatabases: withoutWall(db),
    wall: { kind: 'down', lacks: 'one: it is simulated' },
    elapsedMs: () => machine.elapsedMs(),
    simulated: {
      reach: (origin) => new WireDispatcher(wire, machine, origin),
      carrier: new WireDispatcher(wire, machine),
      pollMs,
    },
  };
}

function joinParts(
  context: AppContext,
  planted: Planted | undefined,
): Omit<ServiceProcess, 'machine' | 'time' | 'checkRestored'> {
  const { simulated, config, db, clock, random, hashCredential } = context;
  const merchants = createMerchantModule(context);
  const sandbox = createSandboxAdapter({
    baseUrl: origins.sandbox,
    apiKey: 'sandbox_key',
    deadlineMs: config.pspTimeoutMs,
    ...(simulated !== undefined && { reach: simulated.reach }),
  });
  const registry = createPspRegistry([...createPspAdapters(context).adapters, sandbox]);
  const psps = createPspModule({ context, merchants, registry });
  const engine = createEngine(context, merchants, psps);
  if (planted !== undefined) plantIn(planted, context, engine);
  const recovery = createRecoveryApi(context, engine);
  const admin = createAdminApi({
    store: createAdminStore({ db, sealer: merchants.sealer, hashCredential }),
    actions: createActionLog(db),
    clock,
    random,
    keyMode: 'live',
    directory: {
      forget(merchantId) {
        merchants.directory.forget(merchantId);
        psps.gateways.forget(merchantId);
      },
    },
    checkMerchantUrl: merchants.checkUrl,
    supportedPsps: psps.supported,
    openGateway: psps.connect,
    findGateway: psps.gateways.find,
    sandboxAheadMs: () => 0,
  });
  return {
    context,
    engine,
    admin,
    recovery: planted?.recovery?.(recovery) ?? recovery,
    webhooks: createPspWebhookApi(context, {
      engine,
      merchants,
      psps,
      disputes: { ingest: async () => undefined },
    }),
  };
}

/** What the bug exchanges among the parts that the engine finds at each step. */
function plantIn(planted: Planted, context: AppContext, engine: Engine): void {
  const { deps } = engine;
  const { findGateway, merchantClient } = deps;
  const { account, client } = planted;
  Object.assign(deps, {
    ...(client && { merchantClient: client(merchantClient, context) }),
    ...(account && {
      findGateway: async (key: Parameters<typeof findGateway>[0]) => {
        const found = await findGateway(key);
        return found && account(found as PspAccount, context);
      },
    }),
    ...planted.engine?.(deps),
  });
}
