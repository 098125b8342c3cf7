import { errorRegistry } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';
import type { TransportAnswers } from '../server/transport-answers.ts';

/** Every refusal of this listener has the one member `detail`, as FastAPI's have. */
export function detailAnswer(
  status: number,
  detail: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { ...jsonAnswer(status, { detail }), ...present({ headers }) };
}

export const notFound = detailAnswer(404, 'Not Found');

/** How long a PSP or a merchant is asked to wait when we cannot work: the database starts again. */
export const retryAfterSeconds = 30;

export const transportAnswers: TransportAnswers = {
  notFound,
  malformed: detailAnswer(400, 'What arrived is not an HTTP/1.1 request.'),
  crossSite: detailAnswer(403, errorRegistry.cross_site_refused.what),
  wrongHost: detailAnswer(421, errorRegistry.host_refused.what),
  headersTooLarge: detailAnswer(431, 'The request line and the headers may have 16 KiB together.'),
  tooSlow: detailAnswer(408, 'The request did not arrive in time.'),
  tooMany: tooManyRequests,
};

/** 429, in the words of every refusal of this listener. */
export function tooManyRequests(retryAfterSeconds: number): Answer {
  const detail = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return detailAnswer(429, detail, { 'retry-after': retryAfterSeconds.toString() });
}
