export type { AnalyticsBatch, AnalyticsRowResult } from './client/analytics-batch.ts';
export {
  type ApiErrorCode,
  type ApiFault,
  RecoupApiError,
  RecoupConnectionError,
} from './client/api-error.ts';
export type { CallOptions } from './client/call-options.ts';
export type { ClientOptions } from './client/client-options.ts';
export {
  createDisputesClient,
  type DisputesClient,
  type DisputesClientOptions,
} from './client/disputes-client.ts';
export type * as disputes from './client/generated/disputes.ts';
export type * as recovery from './client/generated/recovery.ts';
export { createRecoveryClient, type RecoveryClientOptions } from './client/recovery-client.ts';
export type { FetchHandler } from './fetch-handler.ts';
export type { HeadersLike } from './headers.ts';
export type { MerchantAuth } from './merchant-auth.ts';
export {
  doNotRetry,
  invoiceNotFound,
  type RetryDecision,
  type RetryPaymentMethod,
  type RetryTerms,
  rateLimited,
  retry,
  stopReasons,
} from './retry-status/retry-decision.ts';
export {
  type RetryStatusHandlerOptions,
  type RetryStatusQuestion,
  retryStatusHandler,
} from './retry-status/retry-status-handler.ts';
export { StatementError, type StatementFault } from './statements/statement-error.ts';
export {
  type StatementMark,
  type VerifiedStatements,
  type VerifyStatementsOptions,
  verifyStatements,
} from './statements/verify-statements.ts';
export {
  createDeduplicate,
  createMemoryStore,
  type Deduplicate,
  type DeduplicationStore,
  type Handled,
} from './webhooks/deduplicate.ts';
export type { Incident, IncidentSide } from './webhooks/incident.ts';
export { type VerifyOptions, verifyWebhook } from './webhooks/verify-webhook.ts';
export { WebhookError, type WebhookFault } from './webhooks/webhook-error.ts';
export type {
  CustomerActionRequired,
  CustomerActionRequiredEvent,
  CustomerActionResolved,
  CustomerActionResolvedEvent,
  EndOfDunning,
  EndOfDunningEvent,
  IncidentEvent,
  OtherEvent,
  PspTransaction,
  RetryResult,
  RetryResultEvent,
  WebhookEvent,
} from './webhooks/webhook-event.ts';
export { type WebhookHandlerOptions, webhookHandler } from './webhooks/webhook-handler.ts';
