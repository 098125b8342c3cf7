import type { PaymentMethodUpdateBody } from '../domain/payment-event.ts';
import type { RequestId } from '../domain/request-id.ts';
import { judgeSignature } from '../merchant/judge-signature.ts';
import { createAdminApi } from '../recovery/admin/admin-api.ts';
import { testEndpoint } from '../recovery/admin/test-endpoint.ts';
import type { Accept, RecoveryApi } from '../recovery/api.ts';
import { retryPayment } from '../recovery/engine/retry-payment.ts';
import { stopPayment } from '../recovery/engine/stop-payment.ts';
import { acceptPayment, acceptPaymentMethodUpdate } from '../recovery/intake/ingest.ts';
import type { OperatorApi } from '../recovery/operator-api.ts';
import { beginReplay } from '../recovery/replays/begin-replay.ts';
import { createAdminStore } from '../store/admin/admin-store.ts';
import { createActionLog } from '../store/admin/audit-log.ts';
import { ofDebt, onDebt } from '../store/debts/find-debt.ts';
import { createReplayStore } from '../store/replays/replay-store.ts';
import { findStatement, listStatements } from '../store/statements/read-statements.ts';
import { listEvents, redeliverEvent } from '../store/views/event-views.ts';
import { listPayments, showPayment } from '../store/views/payment-views.ts';
import { findRequest } from '../store/views/request-views.ts';
import { servingEach } from '../store/wall/serving-each.ts';
import { createAccountingApi } from './accounting-module.ts';
import type { AlertsModule } from './alerts/alerts-module.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import type { AppContext } from './context.ts';
import { createCustomerLinksApi } from './customers/customer-links.ts';
import { addressKeeper, bounceApi, messagesApi } from './customers/messages-module.ts';
import type { Engine, EngineParts } from './engine.ts';
import { createKeysApi } from './keys/keys-api.ts';
import type { MerchantModule } from './merchant-module.ts';
import { createBulkApi } from './operator/bulk-actions.ts';
import { createEndpointsApi } from './operator/endpoint-actions.ts';
import { createIncidentActions } from './operator/incident-actions.ts';
import { createPaymentActions } from './operator/payment-actions.ts';
import { createPolicyActions } from './operator/policy-actions.ts';
import { createPortalCalls } from './operator/portals.ts';
import type { PspModule } from './psps/psp-module.ts';
import { createReconciliationApi } from './reconciliation-module.ts';
import { traceRecoveryApi } from './tracing/trace-recovery-api.ts';

/** What the recovery API asks of the engine, joined with the views of the store. */
export function createRecoveryApi(
  context: Pick<
    AppContext,
    | 'clock'
    | 'config'
    | 'engineTime'
    | 'hashCredential'
    | 'keys'
    | 'merchantDatabases'
    | 'random'
    | 'tracing'
  >,
  engine: EngineParts,
): RecoveryApi {
  const { clock, tracing } = context;
  const { served: db } = context.merchantDatabases;
  const keep = addressKeeper(context);
  const ingest = { ...engine.deps, log: engine.requestLog, keepAddress: keep };
  const api = servingEach<RecoveryApi>({
    acceptPayment: (input) => acceptPayment(ingest, input),
    acceptPaymentMethodUpdate: (input) => acceptPaymentMethodUpdate(ingest, input),
    findRequest: (input) => findRequest(db, input),
    showPayment: async (input) => showPayment(db, await ofDebt(db, input)),
    listPayments: (input) => listPayments(db, input),
    retryPayment: async (input) => retryPayment(engine.deps, await ofDebt(db, input)),
    stopPayment: ({ reason, ...named }) =>
      onDebt(db, named, (debt) =>
        stopPayment(engine.deps, {
          ...debt,
          reason: 'merchant_stop',
          detail: reason,
          waits: true,
        }),
      ),
    listEvents: (input) => listEvents(db, input),
    findStatement: (input) => findStatement(db, input),
    listStatements: (input) => listStatements(db, input),
    ...createCustomerLinksApi(context, {
      acceptUpdate: (update) => acceptPaymentMethodUpdate(ingest, update),
    }),
    ...createPortalCalls(context),
    ...bounceApi(context),
    async redeliverEvent(input) {
      const outcome = await db.transaction((tx) =>
        redeliverEvent(tx, { ...input, at: clock.now() }),
      );
      engine.deps.wake.deliveries();
      return outcome;
    },
  });
  return traceRecoveryApi(tracing, api);
}

/**
 * Ingests updates of payment methods as if at a time to come: their rows are due then, as every
 * request's is when it comes, and so are their effects.
 */
export function createLaterUpdates(
  engine: Pick<Engine, 'deps' | 'requestLog'>,
): (input: Accept<PaymentMethodUpdateBody>, at: Date) => Promise<RequestId> {
  const { deps, requestLog: log } = engine;
  return (input, at) =>
    acceptPaymentMethodUpdate({ ...deps, log, clock: { now: () => at } }, input);
}

/** What the operator may have done: administration, and the engine's actions. */
export function createOperatorApi(
  context: AppContext,
  parts: {
    readonly merchants: MerchantModule;
    readonly psps: PspModule;
    readonly engine: Pick<Engine, 'deps' | 'learned'>;
    readonly alerts: Pick<AlertsModule, 'api'>;
    readonly jobs: Pick<
      BackgroundJobs,
      | 'requestReplay'
      | 'requestBulk'
      | 'requestTraining'
      | 'requestWhatIf'
      | 'requestCheck'
      | 'requestReconciliation'
      | 'requestRotation'
    >;
  },
): OperatorApi {
  const { db, clock, random, config, hashCredential, elapsedMs } = context;
  const { merchants, psps, engine, jobs, alerts } = parts;
  const actions = createActionLog(db);
  const admin = createAdminApi({
    store: createAdminStore({ db, sealer: merchants.sealer, hashCredential }),
    actions,
    clock,
    random,
    keyMode: config.sandbox ? 'test' : 'live',
    cell: config.databaseSchema,
    directory: forgettingBoth(merchants, psps),
    checkMerchantUrl: merchants.checkUrl,
    supportedPsps: psps.supported,
    openGateway: psps.connect,
    sandboxAheadMs: () => clock.now().getTime() - context.engineTime.now().getTime(),
    findGateway: psps.gateways.find,
  });
  return {
    ...admin,
    ...createPaymentActions({ ...engine.deps, db }),
    ...createPolicyActions(context, { learned: engine.learned, jobs }),
    testEndpoint: (merchantId, endpoint) =>
      testEndpoint({ ...engine.deps, actions, random, elapsedMs }, { merchantId, endpoint }),
    ...createEndpointsApi(context, { merchants, engine, actions }),
    ...createAccountingApi(context, { jobs, actions }),
    ...createKeysApi(context, { sealer: merchants.sealer, jobs }),
    beginReplay: (asked) =>
      beginReplay(
        {
          replays: createReplayStore(db),
          clock,
          random,
          requestReplay: (input) => jobs.requestReplay(input),
        },
        asked,
      ),
    ...createBulkApi(context, jobs),
    ...createReconciliationApi(context, { engine: engine.deps, jobs, actions }),
    async testSignature({ merchantId, ...test }) {
      const { signingSecrets } = await merchants.directory.merchantSecrets(merchantId);
      return judgeSignature({ ...test, secrets: signingSecrets, now: clock.now() });
    },
    ...createIncidentActions(context, engine),
    ...alerts.api(context, { checkUrl: merchants.checkUrl }),
    ...messagesApi(context, { directory: merchants.directory, actions }),
  };
}

/** What is kept in memory of a merchant, and of its accounts at PSPs, is read anew. */
function forgettingBoth(
  { directory }: Pick<MerchantModule, 'directory'>,
  { gateways }: Pick<PspModule, 'gateways'>,
) {
  return {
    forget(merchantId: string): void {
      directory.forget(merchantId);
      gateways.forget(merchantId);
    },
  };
}
