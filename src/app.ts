import { createAlertsModule } from './app/alerts/alerts-module.ts';
import { createLaterUpdates, createOperatorApi } from './app/apis.ts';
import { type BackgroundJobs, startBackgroundJobs } from './app/background-jobs.ts';
import type { AppContext, Closable } from './app/context.ts';
import { startDashboard } from './app/dashboard/start-dashboard.ts';
import { createAnswersApi } from './app/disputes/answers.ts';
import { createDisputesModule, type DisputesModule } from './app/disputes/disputes-module.ts';
import { publicDisputesUrl } from './app/disputes/public-disputes-url.ts';
import { createPdfQueue, type PdfQueue } from './app/documents/pdf-queue.ts';
import { startPdfThread } from './app/documents/start-pdf-thread.ts';
import { createEngine, type Engine } from './app/engine.ts';
import {
  startDisputesListener,
  startOperatorListener,
  startRecoveryListener,
} from './app/listeners.ts';
import { createMerchantCalls, type MerchantCalls } from './app/merchant-calls.ts';
import { createMerchantModule, type MerchantModule } from './app/merchant-module.ts';
import { createFreshRollups, type FreshRollups } from './app/operator/fresh-rollups.ts';
import { createLiveFeed } from './app/operator/live-feed.ts';
import { publicOperatorUrl } from './app/operator/public-operator-url.ts';
import { drain } from './app/process/drain.ts';
import type { Listener } from './app/process/listen.ts';
import { type AppDeps, type Keep, openContext } from './app/process/open-context.ts';
import { createPhase, type Phase } from './app/process/phase.ts';
import { startProbeListener } from './app/process/probes.ts';
import { createPspAdapters } from './app/psps/psp-adapters.ts';
import { createPspModule, type PspModule } from './app/psps/psp-module.ts';
import { type DemoModule, startDemoModule, startSandboxPspModule } from './app/sandbox.ts';
import { createSandboxApi } from './app/sandbox-world/create-sandbox-api.ts';
import { createDriver, type ServiceClock } from './app/time/service-clock.ts';
import type { Config } from './config.ts';
import type { AnswersApi } from './disputes/answers-api.ts';
import { present } from './domain/present.ts';
import type { LocalSecrets } from './local-secrets.ts';
import { createPspRegistry } from './psp/registry.ts';
import type { RecoveryApi } from './recovery/api.ts';
import type { OperatorApi } from './recovery/operator-api.ts';
import type { SandboxApi } from './recovery/sandbox-api.ts';
import { readChanges } from './store/reports/read-changes.ts';
import { verifyEncryptionKey } from './store/sealing/verify-encryption-key.ts';

/** The running service. */
export interface App {
  /** Where it listens; absent for a role that this process does not have. */
  readonly recoveryUrl?: string;
  readonly disputesUrl?: string;
  readonly operatorUrl?: string;
  /** Where the dashboard is; absent where it is not served. */
  readonly dashboardUrl?: string;
  /** Where this process answers probes. */
  readonly probeUrl: string;
  readonly operatorToken: string;
  /** Whether the environment gave it, and so no log of a start may show it. */
  readonly isTokenGiven: boolean;
  /** The sandbox's demo merchant, with its credentials. */
  readonly demo?: DemoModule;
  /** Where the embedded database keeps its files. */
  readonly dataPath?: string;
  /** The service's time: in the sandbox, as far ahead as its clock was moved. */
  now(): Date;
  /** Not ready any more: waits until nobody sends it anything, or until `hurry`. */
  drain(hurry: AbortSignal): Promise<void>;
  /** Takes no more work, ends what is in flight, leaves the rest to others; safe to call twice. */
  close(): Promise<void>;
}

/**
 * Joins the rings and starts them, each part after those that it needs. A start that fails stops
 * what it had started, and throws what it failed with: an AppError for everything a user can mend.
 */
export async function startApp(deps: AppDeps, config: Config): Promise<App> {
  const started: Closable[] = [];
  const phase = createPhase();
  const close = once(() => {
    phase.ending();
    return closeAll(started);
  });
  const keep = <Part extends Closable>(part: Part): Part => {
    started.push(part);
    deps.ending?.throwIfAborted();
    return part;
  };
  try {
    const parts = await startParts({ ...deps, phase }, config, keep);
    phase.started();
    return { ...parts, drain: (hurry) => drain(phase, config, hurry), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(
  deps: AppDeps & { readonly phase: Phase },
  config: Config,
  keep: Keep,
): Promise<Omit<App, 'close' | 'drain'>> {
  const { context, database, serviceClock } = await openContext(deps, { config, keep });
  // Closed when all that it tells of has ended.
  const { url: probeUrl } = keep(await startProbeListener(context));
  const merchants = keep(createMerchantModule(context));
  await verifyEncryptionKey({ db: database.db, sealer: merchants.sealer });
  const outside = keep(createPspAdapters(context));
  const inside = config.sandbox ? [keep(await startSandboxPspModule(context)).adapter] : [];
  const registry = createPspRegistry([...outside.adapters, ...inside]);
  const psps = createPspModule({ context, merchants, registry });
  const engine = createEngine(context, merchants, psps);
  const { disputes, answers, pdfs } = disputeParts(context, { engine, merchants, psps });
  const { address } = database;
  const { sealer } = merchants;
  const alerts = keep(createAlertsModule(context));
  const work = {
    engine,
    psps,
    sealer,
    alerts,
    disputes: { ...disputes, ...answers },
    serviceClock,
  };
  const jobs = keep(await startBackgroundJobs(context, { ...work, address }));
  await requestRestoreCheck(context, jobs);
  const calls = createMerchantCalls(context, { engine, merchants, psps, pdfs });
  const forOperator = { ...context, db: database.operatorDb };
  const rollups = keep(createFreshRollups(forOperator));
  const operator = createOperatorApi(forOperator, { merchants, psps, engine, jobs, alerts });
  const demo = hasDemo(config)
    ? keep(await startDemoModule(context, operator, deps.onVerified ?? (() => undefined)))
    : undefined;
  const { recovery } = calls;
  const listening = await startRoles(context, forOperator, keep, {
    serviceClock,
    engine,
    merchants,
    calls,
    disputes,
    answers,
    pdfs,
    operator,
    psps,
    rollups,
    jobs,
    ...sandboxPart(context, { demo, recovery, engine }),
  });
  return {
    ...listening,
    probeUrl,
    now: () => context.clock.now(),
    ...tokenOf(context.secrets, config),
    ...present({ demo, dataPath: database.dataPath }),
  };
}

/** The demo merchant is created by the operator's API, and belongs to its process. */
function hasDemo({ sandbox, roles }: Config): boolean {
  return sandbox && roles.includes('operator');
}

/** Disputes as due work and operators have them, and the thread that draws documents for all. */
function disputeParts(
  context: AppContext,
  parts: {
    readonly engine: Engine;
    readonly merchants: MerchantModule;
    readonly psps: PspModule;
  },
) {
  const { engine, merchants, psps } = parts;
  const disputes = createDisputesModule({ db: context.db, sealer: merchants.sealer, engine });
  const pdfs = createPdfQueue(startPdfThread);
  const findAccount = psps.gateways.find;
  const answering = { merchants, disputes, findAccount, pdfs };
  return { disputes, answers: createAnswersApi(context, answering), pdfs };
}

function tokenOf(
  { operatorToken }: LocalSecrets,
  config: Config,
): Pick<App, 'operatorToken' | 'isTokenGiven'> {
  return { operatorToken, isTokenGiven: config.operatorToken !== undefined };
}

/** A check of a restored backup that is under way goes on, whichever process began it. */
async function requestRestoreCheck(
  { config, clock, restoreHold }: AppContext,
  jobs: BackgroundJobs,
) {
  if (!config.roles.includes('worker') || !(await restoreHold?.isHeld())) return;
  await jobs.requestReconciliation(`restore ${clock.now().toISOString()}`);
}

/** What the operator may ask of the sandbox, where its demo merchant is in this process. */
function sandboxPart(
  context: AppContext,
  parts: {
    readonly demo: DemoModule | undefined;
    readonly recovery: RecoveryApi;
    readonly engine: Engine;
  },
): { readonly sandbox?: SandboxApi } {
  const { demo, recovery, engine } = parts;
  if (demo === undefined) return {};
  const { merchantId } = demo.credentials;
  const reportUpdateAt = createLaterUpdates(engine);
  return {
    sandbox: createSandboxApi(context, { merchantId, recovery, reportUpdateAt }),
  };
}

interface Parts {
  readonly serviceClock: ServiceClock;
  readonly engine: Engine;
  readonly merchants: MerchantModule;
  readonly calls: MerchantCalls;
  readonly disputes: Pick<DisputesModule, 'api'>;
  readonly answers: AnswersApi;
  readonly pdfs: PdfQueue;
  readonly operator: OperatorApi;
  readonly psps: PspModule;
  readonly rollups: FreshRollups;
  readonly jobs: BackgroundJobs;
  readonly sandbox?: SandboxApi;
}

/** Starts what this process's roles ask for: work, the APIs that others call, the operator's. */
async function startRoles(
  context: AppContext,
  forOperator: AppContext,
  keep: Keep,
  parts: Parts,
): Promise<Pick<App, 'recoveryUrl' | 'disputesUrl' | 'operatorUrl' | 'dashboardUrl'>> {
  const { roles } = context.config;
  const { engine, merchants, serviceClock } = parts;
  if (roles.includes('worker')) {
    engine.startLoops();
    keep({ close: () => engine.stopLoops() });
  }
  serviceClock.movable?.onMoved(() => engine.wakeAll());
  let operator: Listener | undefined;
  const operatorUrl = () => publicOperatorUrl(context.config, operator?.url);
  const recovery = roles.includes('api')
    ? keep(await startRecoveryListener(context, { ...parts.calls, merchants, operatorUrl }))
    : undefined;
  const disputes = roles.includes('api')
    ? keep(await startDisputesListener(context, { ...parts.calls, merchants }))
    : undefined;
  const disputesUrl = publicDisputesUrl(context.config, disputes?.url);
  operator = roles.includes('operator')
    ? await startOperator(forOperator, keep, { ...parts, disputesUrl })
    : undefined;
  return {
    ...(recovery !== undefined && { recoveryUrl: recovery.url }),
    ...(disputes !== undefined && { disputesUrl: disputes.url }),
    ...(operator !== undefined && { operatorUrl: operator.url }),
    ...(operator !== undefined && context.config.dashboard && { dashboardUrl: `${operator.url}/` }),
  };
}

/** The operator's API, in the sandbox with what moves the clock. */
async function startOperator(
  context: AppContext,
  keep: Keep,
  parts: Parts & { readonly disputesUrl: string },
): Promise<Listener> {
  const { movable } = parts.serviceClock;
  const { config, db, log, engineTime, elapsedMs } = context;
  const driver =
    movable === undefined
      ? undefined
      : createDriver(
          { engineTime, elapsedMs, log, ringer: context.ringer },
          { config, clock: movable, db, jobTimes: parts.jobs.times, outside: context.outside },
        );
  const live = keep(
    createLiveFeed({ readChanges: (input) => readChanges(db, input), clock: context.clock, log }),
  );
  const dashboard = config.dashboard ? keep(startDashboard({ log })) : undefined;
  const listener = keep(
    await startOperatorListener(context, {
      live,
      ...present({ dashboard }),
      merchants: parts.merchants,
      psps: parts.psps,
      engine: parts.engine,
      rollups: parts.rollups,
      operator: parts.operator,
      ...present({ sandbox: parts.sandbox }),
      confirmMatch: parts.disputes.api.confirmMatch,
      answers: parts.answers,
      pdfs: parts.pdfs,
      disputesUrl: parts.disputesUrl,
      ...present({ clockApi: driver }),
    }),
  );
  // Kept after the listener, so that it ends first: the listener waits for an advance under way.
  if (driver !== undefined) keep({ close: async () => driver.stop() });
  return listener;
}

/** In the reverse order of the starts; one part that fails to close does not keep the others open. */
async function closeAll(started: readonly Closable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of started.toReversed()) {
    try {
      await part.close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'parts failed to close');
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
