import type { FastifyReply, FastifyRequest } from 'fastify';
import { present } from '../../domain/present.ts';
import type { HttpLog } from '../server/http-log.ts';

/** What is measured of one request. */
export interface RequestSample {
  readonly method: string;
  /** The endpoint's path with its parameters' names, or `unknown`. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly merchantId?: string;
}

export interface ReportDeps {
  readonly log: HttpLog;
  readonly onRequest?: (sample: RequestSample) => void;
}

/** One line and one sample for each answer: never a path's values, a header or a body. */
export function reportRequest(
  deps: ReportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const merchantId = request.exchange?.caller?.merchantId;
  const sample: RequestSample = {
    method: request.method,
    route: reportedRoute(request) ?? 'unknown',
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
    ...present({ merchantId }),
  };
  deps.onRequest?.(sample);
  deps.log.debug(
    {
      method: sample.method,
      route: sample.route,
      status: sample.status,
      duration_ms: sample.durationMs,
      request_id: request.id,
      merchant_id: merchantId,
    },
    'request',
  );
}

/** The route of a request that reached an endpoint or a page of the docs; else undefined. */
export function reportedRoute({ exchange, routeOptions }: FastifyRequest): string | undefined {
  if (exchange !== null) return exchange.route;
  const { url } = routeOptions;
  return url !== undefined && /^\/docs(\/|$)/.test(url) ? `GET ${url}` : undefined;
}
