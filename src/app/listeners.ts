import type { AnswersApi } from '../disputes/answers-api.ts';
import { present } from '../domain/present.ts';
import type { AnalyticsApi, DisputesApi } from '../http/disputes/caller.ts';
import { createDisputesServer } from '../http/disputes/create-disputes-server.ts';
import type { PspWebhookApi } from '../http/disputes/disputes-deps.ts';
import type { PassingOn } from '../http/moved/pass-on.ts';
import { createRecoveryServer } from '../http/recovery/create-recovery-server.ts';
import { sampledLog } from '../http/server/sampled-log.ts';
import { merchantOpenApi } from '../merchant/open-api/merchant-open-api.ts';
import { observeRequests } from '../metrics.ts';
import { createOperatorServer } from '../operator/create-operator-server.ts';
import type { Dashboard } from '../operator/dashboard/dashboard.ts';
import type { OperatorDeps } from '../operator/operator-deps.ts';
import type { RecoveryApi } from '../recovery/api.ts';
import type { ClockApi } from '../recovery/clock-api.ts';
import type { IdempotencyStore } from '../recovery/idempotency.ts';
import type { OperatorApi } from '../recovery/operator-api.ts';
import { createPeopleApi } from '../recovery/people/create-people-api.ts';
import { createSavedViews } from '../recovery/people/saved-views.ts';
import type { LiveFeed } from '../recovery/reports/live.ts';
import type { SandboxApi } from '../recovery/sandbox-api.ts';
import { actAs } from '../store/admin/acting.ts';
import { findMove } from '../store/admin/merchants.ts';
import { createEmailHasher } from '../store/disputes/email-hasher.ts';
import { createIdempotencyKeys } from '../store/idempotency-keys.ts';
import { createFindAway } from '../store/moving/away-merchants.ts';
import { createPeopleStore } from '../store/people/people-store.ts';
import { createSavedViewStore } from '../store/people/saved-views.ts';
import { sealingAnswers } from '../store/sealed-answers.ts';
import { servingEach } from '../store/wall/serving-each.ts';
import { boundsOf } from './bounds.ts';
import type { AppContext } from './context.ts';
import { messageStops } from './customers/messages-module.ts';
import { domainNames } from './disputes/analytics.ts';
import { createDesk } from './disputes/desk.ts';
import type { PdfQueue } from './documents/pdf-queue.ts';
import type { Engine } from './engine.ts';
import type { MerchantModule } from './merchant-module.ts';
import { createCheckup } from './operator/checkup.ts';
import type { FreshRollups } from './operator/fresh-rollups.ts';
import { createPortals } from './operator/portals.ts';
import { publicOperatorUrl } from './operator/public-operator-url.ts';
import { signInProviderOf } from './operator/sign-in-provider.ts';
import { ourHosts } from './our-hosts.ts';
import { type Listener, listen } from './process/listen.ts';
import { probesOf } from './process/probes.ts';
import type { PspModule } from './psps/psp-module.ts';
import { traceRequests } from './tracing/trace-requests.ts';

export async function startRecoveryListener(
  context: AppContext,
  parts: {
    readonly recovery: RecoveryApi;
    readonly merchants: MerchantModule;
    operatorUrl(): string;
  },
): Promise<Listener> {
  const { config, clock, random, metrics } = context;
  const { served: db } = context.merchantDatabases;
  const { begin, complete, abandon } = sealingAnswers(
    { db, sealer: parts.merchants.sealer },
    createIdempotencyKeys({ db }),
  );
  const log = sampledLog(context.log, context.elapsedMs);
  const server = createRecoveryServer({
    api: parts.recovery,
    authenticate: (apiKey) => parts.merchants.directory.authenticateApiKey(apiKey),
    idempotency: servingEach<IdempotencyStore>({ begin, complete, abandon }),
    bounds: boundsOf({ ...context, db }, 'recovery'),
    hosts: ourHosts(config),
    proxies: config.trustedProxies,
    clock,
    random,
    passingOn: passingOnOf(context),
    log,
    merchantOpenApi,
    stopMessages: messageStops(context),
    operatorUrl: () => parts.operatorUrl(),
    onRequest: (sample) => metrics.observeRequest({ api: 'recovery', ...sample }),
  });
  traceRequests(context.tracing, server, 'recovery');
  return listen(server, { host: config.host, port: config.recoveryPort, name: 'recovery API' });
}

/** For calls of merchants that have moved to another cell. */
function passingOnOf({ db, clock, config }: AppContext): PassingOn {
  return { findAway: createFindAway({ db, clock }), cell: config.databaseSchema ?? '' };
}

export async function startDisputesListener(
  context: AppContext,
  parts: {
    readonly webhooks: PspWebhookApi;
    readonly analytics: AnalyticsApi;
    readonly merchants: MerchantModule;
    readonly disputes: DisputesApi;
    readonly answers: AnswersApi;
  },
): Promise<Listener> {
  const { config, clock, random, metrics } = context;
  const { served: db } = context.merchantDatabases;
  const log = sampledLog(context.log, context.elapsedMs);
  const server = createDisputesServer({
    analytics: parts.analytics,
    disputes: parts.disputes,
    answers: parts.answers,
    authenticate: (merchantId, password) =>
      parts.merchants.directory.authenticateDisputes(merchantId, password),
    actAs,
    webhooks: parts.webhooks,
    hosts: ourHosts(config),
    proxies: config.trustedProxies,
    bounds: {
      ...boundsOf({ ...context, db }, 'disputes'),
      webhooksPerMinute: config.recoveryRateLimitPerMinute,
    },
    clock,
    random,
    passingOn: passingOnOf(context),
    log,
    countWebhook: (psp, result) => metrics.countPspWebhook(psp, result),
  });
  observeRequests(metrics, server, 'disputes');
  traceRequests(context.tracing, server, 'disputes');
  return listen(server, { host: config.host, port: config.disputesPort, name: 'disputes API' });
}

export async function startOperatorListener(
  context: AppContext,
  parts: {
    readonly operator: OperatorApi;
    readonly confirmMatch: DisputesApi['confirmMatch'];
    readonly answers: AnswersApi;
    readonly pdfs: Pick<PdfQueue, 'draw'>;
    readonly disputesUrl: string;
    readonly clockApi?: ClockApi;
    readonly sandbox?: SandboxApi;
    readonly merchants: Pick<MerchantModule, 'sealer'>;
    readonly psps: Pick<PspModule, 'supported'>;
    readonly engine: Pick<Engine, 'deps'>;
    readonly rollups: Pick<FreshRollups, 'refresh'>;
    readonly live: LiveFeed;
    readonly dashboard?: Dashboard;
  },
): Promise<Listener> {
  const { config, secrets, metrics, db } = context;
  let listening: Listener | undefined;
  const log = sampledLog(context.log, context.elapsedMs);
  const server = createOperatorServer({
    db,
    reports: context.reports ?? db,
    api: parts.operator,
    ...present({ clock: parts.clockApi, sandbox: parts.sandbox }),
    checkup: createCheckup(context, parts),
    confirmMatch: parts.confirmMatch,
    answers: parts.answers,
    desk: createDesk(context, parts.merchants),
    drawStatement: parts.pdfs.draw,
    sealer: parts.merchants.sealer,
    hashEmail: createEmailHasher({
      db,
      sealer: parts.merchants.sealer,
      random: context.random,
      clock: context.clock,
      domainNames,
    }),
    moveOf: (merchantId) => findMove(db, merchantId),
    supportedPsps: parts.psps.supported,
    curves: parts.engine.deps,
    refreshSums: () => parts.rollups.refresh(),
    settings: config,
    ...operatorsOf(context),
    ...present({ signInProvider: signInProviderOf(context) }),
    operatorUrl: () => publicOperatorUrl(config, listening?.url),
    operatorToken: secrets.operatorToken,
    now: () => context.clock.now(),
    machine: context.engineTime,
    live: parts.live,
    ...present({ dashboard: parts.dashboard }),
    disputesUrl: parts.disputesUrl,
    bounds: boundsOf(context, 'operator'),
    hosts: ourHosts(config),
    proxies: config.trustedProxies,
    random: context.random,
    ...probesOf(context),
    log,
  });
  observeRequests(metrics, server, 'operator');
  traceRequests(context.tracing, server, 'operator');
  const at = { host: config.host, port: config.operatorPort, name: 'operator API' };
  listening = await listen(server, at);
  return listening;
}

/** Who may operate, and what they keep. */
function operatorsOf(context: AppContext): Pick<OperatorDeps, 'people' | 'views' | 'portals'> {
  const { config, db, clock, random, engineTime: machine, hashCredential } = context;
  const keyMode = config.sandbox ? 'test' : 'live';
  const keys = {
    machine,
    clock,
    random,
    hashCredential,
    keyMode,
    cell: config.databaseSchema,
  } as const;
  return {
    views: createSavedViews({ store: createSavedViewStore({ db }), machine, random }),
    portals: createPortals(context, db),
    people: createPeopleApi({
      store: createPeopleStore({ db }),
      ...keys,
      ...present({ defaultRole: config.oidcDefaultRole }),
    }),
  };
}
