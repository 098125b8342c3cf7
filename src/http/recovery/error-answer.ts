import type { FastifyError, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { isDatabaseOutage } from '../../domain/held-back.ts';
import type { Answer } from '../server/answer.ts';
import { errorForLog } from '../server/error-for-log.ts';
import type { HttpLog } from '../server/http-log.ts';
import { isOutageOfWrites } from '../server/outage.ts';
import {
  invalidRequest,
  serverError,
  serverErrorForNow,
  serviceBusy,
  tooManyRequests,
  unsupportedMediaType,
  writesRefused,
} from './answers.ts';
import { reportedRoute } from './report-request.ts';

/**
 * The answer to whatever was thrown. Only our own side's failures are logged, without what the
 * request carried; the answer tells nothing of them.
 */
export function errorAnswer(log: HttpLog, error: FastifyError, request: FastifyRequest): Answer {
  // The engine refuses one thing in a request that the schemas let through: a strange cursor.
  if (error instanceof AppError && error.code === 'invalid_request') {
    return invalidRequest([{ at: 'cursor', text: 'Input should be a cursor from this list' }]);
  }
  if (error.statusCode === 415) return unsupportedMediaType;
  if (error instanceof AppError && isBusy(error)) return serviceBusy;
  if (error instanceof AppError && error.code === 'share_busy') return tooManyRequests(1);
  log.error(
    {
      error: errorForLog(error),
      request_id: request.id,
      route: reportedRoute(request),
      merchant_id: request.exchange?.caller?.merchantId,
    },
    'a request failed',
  );
  if (!(error instanceof AppError) || !isDatabaseOutage(error.code)) return serverError;
  return isOutageOfWrites(error.code) ? writesRefused : serverErrorForNow;
}

function isBusy({ code }: AppError): boolean {
  return code === 'database_busy' || code === 'service_busy' || code === 'merchant_moving';
}
