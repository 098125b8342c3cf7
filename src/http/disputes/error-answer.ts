import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { isDatabaseOutage } from '../../domain/held-back.ts';
import type { Answer } from '../server/answer.ts';
import { isOutageOfWrites } from '../server/outage.ts';
import { detailAnswer, retryAfterSeconds, tooManyRequests } from './answers.ts';

/** The status of each code that a request can meet here; any other is a fault of ours. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  psp_webhook_malformed: 400,
  psp_webhook_unverified: 401,
  scope_missing: 403,
  method_not_allowed: 405,
  payload_too_large: 413,
  too_many_requests: 429,
  share_busy: 429,
  psp_webhook_unavailable: 503,
  service_busy: 503,
  merchant_moving: 503,
  database_busy: 503,
};

/** What a request ended in, as an answer: `detail` and no more. What happened inside stays inside. */
export function errorAnswer(error: unknown): Answer {
  if (error instanceof AppError && isDatabaseOutage(error.code)) return outageAnswer(error.code);
  const status = error instanceof AppError ? statuses[error.code] : undefined;
  if (!(error instanceof AppError) || status === undefined) {
    return detailAnswer(500, 'Internal Server Error');
  }
  if (status === 405) return detailAnswer(405, 'Method Not Allowed');
  if (isBusy(error)) {
    return detailAnswer(503, error.detail, { 'retry-after': '1' });
  }
  if (error.code === 'share_busy') return tooManyRequests(1);
  return status === 503 ? unavailable(error.detail) : detailAnswer(status, error.detail);
}

/** A server that is away starts again, which takes longer than a refusal that ends. */
function outageAnswer(code: ErrorCode): Answer {
  const detail = 'The service cannot work just now.';
  return isOutageOfWrites(code)
    ? detailAnswer(503, detail, { 'retry-after': '5' })
    : unavailable(detail);
}

function unavailable(detail: string): Answer {
  return detailAnswer(503, detail, { 'retry-after': retryAfterSeconds.toString() });
}

function isBusy({ code }: AppError): boolean {
  return code === 'service_busy' || code === 'database_busy' || code === 'merchant_moving';
}
