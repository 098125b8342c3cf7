import type { Endpoint, GuardedEndpoint } from '../http/endpoint/define-endpoint.ts';
import {
  addAlertChannel,
  changeAlertChannel,
  listAlertChannels,
  removeAlertChannel,
  testAlertChannel,
} from './alerts/alert-channels.ts';
import { addAlertRoute, removeAlertRoute } from './alerts/alert-routes.ts';
import { listAlertMessages } from './alerts/list-alert-messages.ts';
import { listAlerts } from './alerts/list-alerts.ts';
import { endAlertSilence, silenceAlerts } from './alerts/silence-alerts.ts';
import { listAudit } from './audit/list-audit.ts';
import { verifyAudit } from './audit/verify-audit.ts';
import { beginBulk } from './bulk/begin-bulk.ts';
import { countPayments } from './bulk/count-payments.ts';
import { listBulks } from './bulk/list-bulks.ts';
import { showBulk } from './bulk/show-bulk.ts';
import { issueCredential } from './credentials/issue-credential.ts';
import { listCredentials } from './credentials/list-credentials.ts';
import { revokeCredential } from './credentials/revoke-credential.ts';
import { rotateCredential } from './credentials/rotate-credential.ts';
import { showCustomer } from './customers/show-customer.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { replayDelivery } from './deliveries/replay-delivery.ts';
import { showDelivery } from './deliveries/show-delivery.ts';
import { acceptDispute } from './disputes/accept-dispute.ts';
import { assignDispute } from './disputes/assign-dispute.ts';
import { addAttachment } from './disputes/attachments/add-attachment.ts';
import { listAttachments } from './disputes/attachments/list-attachments.ts';
import { removeAttachment } from './disputes/attachments/remove-attachment.ts';
import { showAttachment } from './disputes/attachments/show-attachment.ts';
import { confirmMatch } from './disputes/confirm-match.ts';
import { addDisputeNote, removeDisputeNote } from './disputes/dispute-notes.ts';
import { listDisputeRatios } from './disputes/list-dispute-ratios.ts';
import { listDisputes } from './disputes/list-disputes.ts';
import { showAssignees } from './disputes/show-assignees.ts';
import { showDispute } from './disputes/show-dispute.ts';
import { showDisputeOutcomes } from './disputes/show-dispute-outcomes.ts';
import { showEvidence } from './disputes/show-evidence.ts';
import { showRebuttal } from './disputes/show-rebuttal.ts';
import { showRecovery } from './disputes/show-recovery.ts';
import { submitDispute } from './disputes/submit-dispute.ts';
import { writeRebuttal } from './disputes/write-rebuttal.ts';
import { followEvents } from './events/follow-events.ts';
import { listExperiments } from './experiments/list-experiments.ts';
import { listCardsNearLimit } from './fees/list-cards-near-limit.ts';
import { listFees } from './fees/list-fees.ts';
import { listIncidents } from './incidents/list-incidents.ts';
import { dismissIncident, refundIncident } from './incidents/resolve-incident.ts';
import { showIncident } from './incidents/show-incident.ts';
import { listKeys, rotateKeys } from './keys/keys.ts';
import { changeMerchant } from './merchants/change-merchant.ts';
import { createMerchant } from './merchants/create-merchant.ts';
import { listMerchants } from './merchants/list-merchants.ts';
import { showMerchant } from './merchants/show-merchant.ts';
import { testEndpoint } from './merchants/test-endpoint.ts';
import { listCustomerMessages } from './messages/list-customer-messages.ts';
import { suppressMessages, testMessage } from './messages/message-acts.ts';
import { changeMessageSettings, showMessageSettings } from './messages/message-settings.ts';
import { removeMessageTemplate, setMessageTemplate } from './messages/message-templates.ts';
import { showMessageReport } from './messages/show-message-report.ts';
import { activateModel } from './models/activate-model.ts';
import { listModels } from './models/list-models.ts';
import { trainModel } from './models/train-model.ts';
import type { OperatorContext, ProbeDeps } from './operator-deps.ts';
import { showCohorts } from './overview/show-cohorts.ts';
import { showOverview } from './overview/show-overview.ts';
import { showRetryMap } from './overview/show-retry-map.ts';
import { listPayments } from './payments/list-payments.ts';
import { retryPayment } from './payments/retry-payment.ts';
import { showPayment } from './payments/show-payment.ts';
import { showTimeline } from './payments/show-timeline.ts';
import { stopPayment } from './payments/stop-payment.ts';
import { addOperator, changeOperator, listOperators, removeOperator } from './people/operators.ts';
import { issueToken, listTokens, revokeToken } from './people/tokens.ts';
import { createPortalLink, revokePortalLinks } from './portal/portal-links.ts';
import { listPspEvents } from './psp-events/list-psp-events.ts';
import { connectPsp } from './psps/connect-psp.ts';
import { disconnectPsp } from './psps/disconnect-psp.ts';
import { listPspAccounts } from './psps/list-accounts.ts';
import { listPsps } from './psps/list-psps.ts';
import { testPsp } from './psps/test-psp.ts';
import { beginReconciliations } from './reconciliations/begin-reconciliations.ts';
import { beginRestoreCheck } from './reconciliations/begin-restore-check.ts';
import { listReconciliations } from './reconciliations/list-reconciliations.ts';
import { listRestoreChecks } from './reconciliations/list-restore-checks.ts';
import { beginReplay } from './replays/begin-replay.ts';
import { countDeliveries } from './replays/count-deliveries.ts';
import { listReplays } from './replays/list-replays.ts';
import { showReplay } from './replays/show-replay.ts';
import { listMagicMethods } from './sandbox/list-magic-methods.ts';
import { moveClock } from './sandbox/move-clock.ts';
import { showBatch } from './sandbox/show-batch.ts';
import { showClock } from './sandbox/show-clock.ts';
import { submitPayments } from './sandbox/submit-payments.ts';
import { listSavedViews, removeSavedView, saveView } from './saved-views/saved-views.ts';
import { beginInvariantCheck } from './service/begin-invariant-check.ts';
import { checkup } from './service/checkup.ts';
import { listInvariants } from './service/list-invariants.ts';
import { metrics } from './service/metrics.ts';
import { health, ready } from './service/probes.ts';
import { showSession } from './session/show-session.ts';
import { listSetAside } from './set-aside/list-set-aside.ts';
import { retrySetAside } from './set-aside/retry-set-aside.ts';
import { listMonthlyStatements } from './statements/list-monthly-statements.ts';
import { showMonthlyStatement } from './statements/show-monthly-statement.ts';
import { listUnknownCharges } from './unknown-charges/list-unknown-charges.ts';
import { resolveUnknownCharge } from './unknown-charges/resolve-unknown-charge.ts';
import { showUplift } from './uplift/show-uplift.ts';
import { changeEndpoint } from './webhooks/change-endpoint.ts';
import { createEndpoint } from './webhooks/create-endpoint.ts';
import { listEndpoints } from './webhooks/list-endpoints.ts';
import { listMerchantEndpoints } from './webhooks/list-merchant-endpoints.ts';
import { pauseEndpoint } from './webhooks/pause-endpoint.ts';
import { removeEndpoint } from './webhooks/remove-endpoint.ts';
import { resumeEndpoint } from './webhooks/resume-endpoint.ts';
import { rotateEndpointSecret } from './webhooks/rotate-endpoint-secret.ts';
import { showEndpointSuccess } from './webhooks/show-endpoint-success.ts';
import { testFurtherEndpoint } from './webhooks/test-further-endpoint.ts';
import { testSignature } from './webhooks/test-signature.ts';
import { listWhatIfs } from './what-ifs/list-what-ifs.ts';
import { requestWhatIf } from './what-ifs/request-what-if.ts';

/** What needs no token: for whoever starts, balances and measures processes. */
export const openEndpoints: readonly Endpoint<ProbeDeps>[] = [health, ready, metrics];

/** What the operator asks behind the token, in the order of the docs. */
export const operatorEndpoints: readonly GuardedEndpoint<OperatorContext>[] = [
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
  createPortalLink,
  revokePortalLinks,
  testEndpoint,
  listMerchantEndpoints,
  createEndpoint,
  changeEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  testFurtherEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  showEndpointSuccess,
  listDeliveries,
  replayDelivery,
  countDeliveries,
  beginReplay,
  listReplays,
  showReplay,
  listPspEvents,
  listPayments,
  showPayment,
  showTimeline,
  showCustomer,
  retryPayment,
  stopPayment,
  countPayments,
  beginBulk,
  listBulks,
  showBulk,
  listDisputes,
  showDispute,
  showEvidence,
  submitDispute,
  acceptDispute,
  assignDispute,
  showAssignees,
  addDisputeNote,
  removeDisputeNote,
  showRebuttal,
  writeRebuttal,
  addAttachment,
  listAttachments,
  showAttachment,
  removeAttachment,
  confirmMatch,
  listDisputeRatios,
  showDisputeOutcomes,
  showRecovery,
  listFees,
  listCardsNearLimit,
  listMonthlyStatements,
  showMonthlyStatement,
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
  testSignature,
  showRetryMap,
  showCohorts,
  listKeys,
  rotateKeys,
  listAudit,
  verifyAudit,
  listOperators,
  addOperator,
  changeOperator,
  removeOperator,
  listTokens,
  issueToken,
  revokeToken,
  showSession,
  listSavedViews,
  saveView,
  removeSavedView,
  listAlerts,
  listAlertMessages,
  showMessageSettings,
  changeMessageSettings,
  setMessageTemplate,
  removeMessageTemplate,
  testMessage,
  suppressMessages,
  listCustomerMessages,
  showMessageReport,
  silenceAlerts,
  endAlertSilence,
  listAlertChannels,
  addAlertChannel,
  changeAlertChannel,
  removeAlertChannel,
  testAlertChannel,
  addAlertRoute,
  removeAlertRoute,
];
