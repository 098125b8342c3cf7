import type { FastifyRequest } from 'fastify';
import { secondMs } from '../../domain/clock.ts';
import type { Session } from './sessions.ts';

const name = 'recoup_session';

/** The value of the request's session cookie. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, name);
}

export function readCookie(request: FastifyRequest, named: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${named}=`))?.slice(named.length + 1);
}

/** `Set-Cookie` of a session: no script reads it, and no other site's request carries it. */
export function sessionCookie(isSecure: boolean, session: Session, now: Date): string {
  const seconds = Math.floor((session.expiresAt.getTime() - now.getTime()) / secondMs);
  return cookie(isSecure, session.value, seconds);
}

/** `Set-Cookie` that takes the session away. */
export function endedSessionCookie(request: FastifyRequest): string {
  return cookie(cameOverTls(request), '', 0);
}

/** The page's own origin says whether it came over TLS, also where a proxy ends that; or that proxy does. */
export function cameOverTls(request: FastifyRequest): boolean {
  return request.isTls || request.headers.origin?.startsWith('https://') === true;
}

function cookie(isSecure: boolean, value: string, seconds: number): string {
  const rest = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  return `${name}=${value}; ${rest}${isSecure ? '; Secure' : ''}`;
}
