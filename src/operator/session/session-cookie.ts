import type { FastifyRequest } from 'fastify';
import { secondMs } from '../../domain/clock.ts';
import type { Session } from './sessions.ts';

const name = 'recoup_session';
/** A name of its own: no link to a portal takes an operator's session out of a browser. */
const portalName = 'recoup_portal';

/** The value of the request's session cookie. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, name);
}

/** The value of the request's cookie of a portal. */
export function readPortalCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, portalName);
}

export function readCookie(request: FastifyRequest, named: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${named}=`))?.slice(named.length + 1);
}

/** `Set-Cookie` of a session: no script reads it, and no other site's request carries it. */
export function sessionCookie(isSecure: boolean, session: Session, now: Date): string {
  return strictCookie({ name, value: session.value, seconds: secondsOf(session, now), isSecure });
}

/** `Set-Cookie` that takes the session away. */
export function endedSessionCookie(request: FastifyRequest): string {
  return strictCookie({ name, value: '', seconds: 0, isSecure: cameOverTls(request) });
}

/**
 * `Set-Cookie` of a portal's session. One that another site frames is kept apart for that site
 * (`Partitioned`): elsewhere the browser does not have it.
 */
export function portalCookie(
  session: Session,
  of: { readonly isSecure: boolean; readonly isFramed: boolean; readonly now: Date },
): string {
  const cookie = { name: portalName, value: session.value, seconds: secondsOf(session, of.now) };
  return of.isFramed ? framedCookie(cookie) : strictCookie({ ...cookie, isSecure: of.isSecure });
}

/** `Set-Cookie` that takes a portal's session away. */
export function endedPortalCookie(
  request: FastifyRequest,
  { isFramed }: { readonly isFramed: boolean },
): string {
  const cookie = { name: portalName, value: '', seconds: 0 };
  return isFramed
    ? framedCookie(cookie)
    : strictCookie({ ...cookie, isSecure: cameOverTls(request) });
}

function secondsOf({ expiresAt }: Session, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / secondMs);
}

/** The page's own origin says whether it came over TLS, also where a proxy ends that; or that proxy does. */
export function cameOverTls(request: FastifyRequest): boolean {
  return request.isTls || request.headers.origin?.startsWith('https://') === true;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
}

function strictCookie({ isSecure, ...cookie }: Cookie & { readonly isSecure: boolean }): string {
  return `${cookieText(cookie, 'Strict')}${isSecure ? '; Secure' : ''}`;
}

function framedCookie(cookie: Cookie): string {
  return `${cookieText(cookie, 'None')}; Secure; Partitioned`;
}

function cookieText({ name, value, seconds }: Cookie, sameSite: 'Strict' | 'None'): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;
}
