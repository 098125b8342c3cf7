import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import type { Stage } from '../http/endpoint/exchange.ts';
import { isSameOrigin } from './session/same-origin.ts';
import { readSessionCookie } from './session/session-cookie.ts';
import type { Sessions } from './session/sessions.ts';

/**
 * The stage that lets only the holder of the token pass, or of a session that was given for it, before
 * a body is read. A cookie comes along by itself, so what changes something under one must also come
 * from our own page.
 */
export function authorize(operatorToken: string, sessions: Sessions): Stage {
  return async (exchange, next) => {
    const { request, reply } = exchange;
    const given = /^bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && sameToken(given, operatorToken)) return next();
    const cookie = readSessionCookie(request);
    if (cookie !== undefined && sessions.validUntil(cookie) !== undefined) {
      if (request.method === 'GET' || isSameOrigin(request)) return next();
      throw new AppError('cross_site_refused');
    }
    reply.header('www-authenticate', 'Bearer realm="recoup operator"');
    throw new AppError('operator_unauthorized');
  };
}

/** Hashes of one length are compared, so that the time taken tells nothing about the token. */
export function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
