import type { DueWatch } from '../jobs/due-watch.ts';
import type { EngineDeps, PspConnectionKey, SendAtOnce, Wake } from '../recovery/engine/deps.ts';
import type { StopDeps } from '../recovery/engine/stop-payment.ts';
import type { RequestLog } from '../recovery/intake-ports.ts';
import { withLearnedFacts } from '../recovery/learned/with-learned-facts.ts';
import type { Database } from '../store/database.ts';
import { createDebtStore } from '../store/debts/debt-store.ts';
import { createAnswerStore } from '../store/engine/answer-store.ts';
import { createDeliveryStore } from '../store/engine/delivery-store.ts';
import { createPaymentStore } from '../store/engine/payment-store.ts';
import { createUnknownChargeStore } from '../store/engine/unknown-charge-store.ts';
import { createRequestLog } from '../store/intake/request-log.ts';
import { onNobodysBehalf } from '../store/pool/behalf.ts';
import { createSetAsideStore } from '../store/set-aside/set-aside-store.ts';
import type { AppContext } from './context.ts';
import { linkSigners } from './customers/customer-links.ts';
import { createLearnedModule, type LearnedModule } from './learned/learned-module.ts';
import { type Loops, startLoops, wakesOf, watchDue } from './loops.ts';
import { countedAnswers, countedPayments } from './measuring/counted-attempts.ts';
import type { MerchantModule } from './merchant-module.ts';
import type { PspModule } from './psps/psp-module.ts';

/** The engine's parts: what its use cases need, and the loops that run them when work is due. */
export interface Engine extends EngineParts {
  /** The same for requests of merchants: within the one that is served. */
  readonly forMerchants: EngineParts;
  readonly learned: LearnedModule;
  startLoops(): void;
  /** Everything that may be due is looked at now. */
  wakeAll(): void;
  stopLoops(): Promise<void>;
}

export interface EngineParts {
  readonly deps: EngineDeps & StopDeps;
  readonly requestLog: RequestLog;
}

/** Rings this process's own loops, once there are some, else those of other processes. */
function wakeOf({ ringer }: AppContext, loopsNow: () => Loops | undefined): Wake {
  const waker = (name: keyof Wake) => () =>
    onNobodysBehalf(() => {
      const loops = loopsNow();
      if (loops === undefined) ringer?.ring(name);
      else wakesOf(loops)[name]();
    });
  return {
    requests: waker('requests'),
    payments: waker('payments'),
    deliveries: waker('deliveries'),
    unknownCharges: waker('unknownCharges'),
  };
}

function sendAtOnceBy(loopsNow: () => Loops | undefined): SendAtOnce {
  return { place: (merchantId, count) => loopsNow()?.deliveries.place(merchantId, count) };
}

function hearRings({ ringer }: AppContext, loops: Loops): void {
  for (const [name, wake] of Object.entries(wakesOf(loops))) {
    ringer?.on(name as keyof Wake, wake);
  }
}

export function createEngine(
  context: AppContext,
  merchants: MerchantModule,
  psps: PspModule,
): Engine {
  const { config, clock, engineTime, elapsedMs, random, db, log, metrics, merchantDatabases } =
    context;
  const requestLog = createRequestLog({ db, random });
  const learned = createLearnedModule(context);
  const deliveries = createDeliveryStore(db);
  const endpointDeliveries = createDeliveryStore(db, 'endpoint_deliveries');
  const unknownCharges = createUnknownChargeStore(db);
  let loops: Loops | undefined;
  let dueWatch: DueWatch | undefined;
  const wake = wakeOf(context, () => loops);
  const depsOver = (over: { readonly db: Database; readonly alone?: boolean }) => ({
    clock,
    time: engineTime,
    random,
    signLink: linkSigners(context).signLink,
    payments: withLearnedFacts(
      { ...learned, clock, merchants: merchants.directory },
      countedPayments(metrics, createPaymentStore({ ...over, random })),
    ),
    debts: createDebtStore(over.db),
    answers: countedAnswers(metrics, createAnswerStore({ db: over.db, random })),
    merchants: merchants.directory,
    endpoints: merchants.endpoints,
    merchantClient: merchants.client,
    findGateway: (key: PspConnectionKey) => psps.gateways.find(key),
    wake,
    sendAtOnce: sendAtOnceBy(() => loops),
    log,
    settings: { attemptLeaseMs: config.attemptLeaseMs, pspTimeoutMs: config.pspTimeoutMs },
    elapsedMs,
    pause: (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs)),
  });
  const deps = depsOver({ db });
  const { served, among } = merchantDatabases;
  return {
    deps,
    forMerchants: {
      deps: depsOver({ db: served, alone: true }),
      requestLog: createRequestLog({ db: served, random, among }),
    },
    learned,
    requestLog,
    startLoops() {
      const parts = {
        context,
        deps,
        requestLog,
        deliveries,
        endpointDeliveries,
        unknownCharges,
        setAside: createSetAsideStore(db),
      };
      loops = startLoops(parts);
      dueWatch = watchDue(parts, loops);
      hearRings(context, loops);
    },
    wakeAll() {
      for (const loop of Object.values(loops ?? {})) loop.wake();
    },
    async stopLoops() {
      await dueWatch?.stop();
      await Promise.all(Object.values(loops ?? {}).map((loop) => loop.stop()));
    },
  };
}
