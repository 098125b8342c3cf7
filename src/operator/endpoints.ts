import type { Endpoint } from '../http/endpoint/define-endpoint.ts';
import { issueCredential } from '../http/operator/credentials/issue-credential.ts';
import { listCredentials } from '../http/operator/credentials/list-credentials.ts';
import { revokeCredential } from '../http/operator/credentials/revoke-credential.ts';
import { rotateCredential } from '../http/operator/credentials/rotate-credential.ts';
import { countExhausted } from '../http/operator/deliveries/count-exhausted.ts';
import { listDeliveries } from '../http/operator/deliveries/list-deliveries.ts';
import { replayDelivery } from '../http/operator/deliveries/replay-delivery.ts';
import { replayExhausted } from '../http/operator/deliveries/replay-exhausted.ts';
import { showDelivery } from '../http/operator/deliveries/show-delivery.ts';
import { confirmMatch } from '../http/operator/disputes/confirm-match.ts';
import { listDisputeRatios } from '../http/operator/disputes/list-dispute-ratios.ts';
import { listDisputes } from '../http/operator/disputes/list-disputes.ts';
import { showDispute } from '../http/operator/disputes/show-dispute.ts';
import { showEvidence } from '../http/operator/disputes/show-evidence.ts';
import { showRecovery } from '../http/operator/disputes/show-recovery.ts';
import { submitDispute } from '../http/operator/disputes/submit-dispute.ts';
import { testEndpoint } from '../http/operator/endpoints/test-endpoint.ts';
import { followEvents } from '../http/operator/events/follow-events.ts';
import { listExperiments } from '../http/operator/experiments/list-experiments.ts';
import { listIncidents } from '../http/operator/incidents/list-incidents.ts';
import { dismissIncident, refundIncident } from '../http/operator/incidents/resolve-incident.ts';
import { showIncident } from '../http/operator/incidents/show-incident.ts';
import { changeMerchant } from '../http/operator/merchants/change-merchant.ts';
import { createMerchant } from '../http/operator/merchants/create-merchant.ts';
import { listMerchants } from '../http/operator/merchants/list-merchants.ts';
import { showMerchant } from '../http/operator/merchants/show-merchant.ts';
import { activateModel } from '../http/operator/models/activate-model.ts';
import { listModels } from '../http/operator/models/list-models.ts';
import { trainModel } from '../http/operator/models/train-model.ts';
import { showOverview } from '../http/operator/overview/show-overview.ts';
import { showRetryMap } from '../http/operator/overview/show-retry-map.ts';
import { listPayments } from '../http/operator/payments/list-payments.ts';
import { retryPayment } from '../http/operator/payments/retry-payment.ts';
import { showPayment } from '../http/operator/payments/show-payment.ts';
import { showTimeline } from '../http/operator/payments/show-timeline.ts';
import { stopPayment } from '../http/operator/payments/stop-payment.ts';
import { connectPsp } from '../http/operator/psps/connect-psp.ts';
import { disconnectPsp } from '../http/operator/psps/disconnect-psp.ts';
import { listPspAccounts } from '../http/operator/psps/list-accounts.ts';
import { listPsps } from '../http/operator/psps/list-psps.ts';
import { testPsp } from '../http/operator/psps/test-psp.ts';
import {
  beginReconciliations,
  listReconciliations,
} from '../http/operator/reconciliations/reconciliations.ts';
import {
  beginRestoreCheck,
  listRestoreChecks,
} from '../http/operator/reconciliations/restore-checks.ts';
import { listMagicMethods } from '../http/operator/sandbox/list-magic-methods.ts';
import { moveClock } from '../http/operator/sandbox/move-clock.ts';
import { showBatch } from '../http/operator/sandbox/show-batch.ts';
import { showClock } from '../http/operator/sandbox/show-clock.ts';
import { submitPayments } from '../http/operator/sandbox/submit-payments.ts';
import { checkup } from '../http/operator/service/checkup.ts';
import { beginInvariantCheck, listInvariants } from '../http/operator/service/list-invariants.ts';
import { metrics } from '../http/operator/service/metrics.ts';
import { health, ready } from '../http/operator/service/probes.ts';
import { endSession } from '../http/operator/session/end-session.ts';
import { showSession } from '../http/operator/session/show-session.ts';
import { listSetAside, retrySetAside } from '../http/operator/set-aside/set-aside-endpoints.ts';
import { resolveUnknownCharge } from '../http/operator/unknown-charges/resolve-unknown-charge.ts';
import { showUplift } from '../http/operator/uplift/show-uplift.ts';
import { listEndpoints } from '../http/operator/webhooks/list-endpoints.ts';
import { testSignature } from '../http/operator/webhooks/test-signature.ts';
import { listWhatIfs } from '../http/operator/what-ifs/list-what-ifs.ts';
import { requestWhatIf } from '../http/operator/what-ifs/request-what-if.ts';
import { listCardsNearLimit } from './fees/list-cards-near-limit.ts';
import { listFees } from './fees/list-fees.ts';
import type { OperatorContext } from './operator-context.ts';
import { listPspEvents } from './psp-events/list-psp-events.ts';
import { listUnknownCharges } from './unknown-charges/list-unknown-charges.ts';

/** What needs no token: for whoever starts, balances and measures processes. */
export const openEndpoints: readonly Endpoint<OperatorContext>[] = [health, ready, metrics];

/** What the operator asks behind the token, in the order of the docs. */
export const operatorEndpoints: readonly Endpoint<OperatorContext>[] = [
  createMerchant,
  listMerchants,
  showMerchant,
  changeMerchant,
  listPsps,
  listPspAccounts,
  connectPsp,
  testPsp,
  disconnectPsp,
  listCredentials,
  issueCredential,
  rotateCredential,
  revokeCredential,
  testEndpoint,
  listDeliveries,
  replayDelivery,
  replayExhausted,
  listPspEvents,
  listPayments,
  showPayment,
  showTimeline,
  retryPayment,
  stopPayment,
  listDisputes,
  showDispute,
  showEvidence,
  submitDispute,
  confirmMatch,
  listDisputeRatios,
  showRecovery,
  listFees,
  listCardsNearLimit,
  showUplift,
  listUnknownCharges,
  resolveUnknownCharge,
  listIncidents,
  showIncident,
  refundIncident,
  dismissIncident,
  listSetAside,
  retrySetAside,
  listInvariants,
  beginInvariantCheck,
  beginReconciliations,
  listReconciliations,
  beginRestoreCheck,
  listRestoreChecks,
  listModels,
  trainModel,
  activateModel,
  listExperiments,
  listWhatIfs,
  requestWhatIf,
  checkup,
  followEvents,
  showClock,
  moveClock,
  listMagicMethods,
  submitPayments,
  showBatch,
  showOverview,
  listEndpoints,
  showDelivery,
  countExhausted,
  testSignature,
  showRetryMap,
  showSession,
  endSession,
];
