import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { leftOfWait, minuteMs, secondMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { Exchange } from '../../http/endpoint/exchange.ts';
import { addressBlock } from '../../http/server/address-block.ts';
import { type Answer, jsonAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { Door } from '../session/authorize.ts';
import { readCookie, sessionCookie } from '../session/session-cookie.ts';
import { noteSignIn } from '../session/sign-in-log.ts';
import { type BegunSignIn, createSealedSignIns, signInMs } from './sealed-cookie.ts';
import type { SignInFailure, SignInProvider } from './sign-in-provider.ts';

const cookieName = 'recoup_sign_in';
const root = '/api/sign-in';
/** Longest address of a page that is gone back to. */
const pathLength = 1000;

type Deps = Pick<
  OperatorDeps,
  | 'db'
  | 'operatorToken'
  | 'people'
  | 'machine'
  | 'now'
  | 'log'
  | 'random'
  | 'signInProvider'
  | 'operatorUrl'
>;

/** Signing in at a provider. For the dashboard alone. */
export function signInEndpoints(deps: Deps, door: Door): readonly Endpoint<unknown>[] {
  return [showWays(deps), begin(deps), finish(deps, door)];
}

/** GET /api/sign-in: what the sign-in page offers beside the token. */
function showWays({ signInProvider }: Pick<Deps, 'signInProvider'>): Endpoint<unknown> {
  return defineEndpoint({
    method: 'GET',
    path: root,
    answer: async () => jsonAnswer(200, present({ provider: signInProvider?.name })),
  });
}

/** GET /api/sign-in/begin: on to the provider. */
function begin(deps: Deps): Endpoint<unknown> {
  const sealed = createSealedSignIns(deps);
  return defineEndpoint({
    method: 'GET',
    path: `${root}/begin`,
    schema: { query: Type.Object({ to: Type.Optional(Type.String()) }) },
    async answer({ query, exchange }) {
      const provider = providerOf(deps);
      const text = () => Buffer.from(deps.random.bytes(32)).toString('base64url');
      const secrets = { state: text(), nonce: text(), verifier: text() };
      const at = await provider.begin(secrets, redirectUriOf(deps));
      const to = pageIn(query.to);
      if (at === undefined) return failed(to, 'unreachable');
      const endsAtMs = deps.machine.now().getTime() + signInMs;
      const sealedText = sealed.seal({ ...secrets, to, endsAtMs });
      const cookie = cookieOf(isSecure(deps, exchange), sealedText, signInMs / secondMs);
      return goTo(at.href, cookie);
    },
  });
}

/** GET /api/sign-in/callback: back from the provider. */
function finish(deps: Deps, door: Door): Endpoint<unknown> {
  const sealed = createSealedSignIns(deps);
  return defineEndpoint({
    method: 'GET',
    path: `${root}/callback`,
    async answer({ exchange }) {
      const { request, reply } = exchange;
      const provider = providerOf(deps);
      const begun = sealed.open(readCookie(request, cookieName) ?? '');
      reply.header('set-cookie', cookieOf(isSecure(deps, exchange), '', 0));
      if (begun === undefined || hasEnded(begun, deps.machine.now())) {
        return failed('/', 'expired');
      }
      const cameTo = new URL(redirectUriOf(deps) + queryOf(request));
      const result = await provider.finish(begun, cameTo);
      if (result.kind === 'failed') return refuse(deps, door, { exchange, begun, ...result });
      const holder = await deps.people.signInBy(result.identity);
      if (typeof holder === 'string') {
        return refuse(deps, door, { exchange, begun, failure: holder });
      }
      const session = await door.sessions.open(holder);
      const actor = present({ actor: holder.operatorId });
      const detail = { by: 'openid_connect' };
      await noteSignIn(deps, { action: 'operator.signed_in', request, detail, ...actor });
      const cookie = sessionCookie(isSecure(deps, exchange), session, deps.machine.now());
      return goTo(begun.to, cookie);
    },
  });
}

/** A clock that is set back gives nobody more time. */
function hasEnded({ endsAtMs }: BegunSignIn, now: Date): boolean {
  return leftOfWait({ endsAtMs, mostMs: signInMs + minuteMs }, now.getTime()) === 0;
}

function providerOf({ signInProvider }: Pick<Deps, 'signInProvider'>): SignInProvider {
  if (signInProvider !== undefined) return signInProvider;
  throw new AppError('not_found', 'No OpenID Connect provider is set: OIDC_ISSUER names one.');
}

/** Counted with wrong tokens, so that nobody fills the audit log with them. */
async function refuse(
  deps: Deps,
  door: Door,
  of: {
    readonly exchange: Pick<Exchange, 'request'>;
    readonly begun: { readonly to: string };
    readonly failure: SignInFailure;
  },
): Promise<Answer> {
  const { request } = of.exchange;
  const { isNoted } = door.wrongTokens.add(addressBlock(request.address), deps.machine.now());
  const detail = { reason: of.failure };
  if (isNoted) await noteSignIn(deps, { action: 'operator.sign_in_refused', request, detail });
  return failed(of.begun.to, of.failure);
}

/** To the sign-in page, which says it in words. */
function failed(to: string, failure: SignInFailure): Answer {
  const page = new URL(to, 'http://page');
  page.searchParams.set('sign_in', failure);
  return goTo(page.pathname + page.search);
}

function goTo(location: string, cookie?: string): Answer {
  const headers = { location, ...present({ 'set-cookie': cookie }) };
  return { status: 303, body: '', headers };
}

function redirectUriOf({ operatorUrl }: Pick<Deps, 'operatorUrl'>): string {
  return `${operatorUrl()}${root}/callback`;
}

function isSecure(
  { operatorUrl }: Pick<Deps, 'operatorUrl'>,
  { request }: Pick<Exchange, 'request'>,
): boolean {
  return request.isTls || operatorUrl().startsWith('https:');
}

/** `Lax`, since the provider's page sends the browser back. */
function cookieOf(isOverTls: boolean, value: string, seconds: number): string {
  const rest = `Path=${root}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
  return `${cookieName}=${value}; ${rest}${isOverTls ? '; Secure' : ''}`;
}

function queryOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** A page of ours: nobody is sent on to another site by us. */
function pageIn(to: string | undefined): string {
  if (to === undefined || to.length > pathLength || !/^\/(?![/\\])[!-~]*$/.test(to)) return '/';
  const page = new URL(to, 'http://page');
  page.searchParams.delete('sign_in');
  const path = page.pathname + page.search;
  // Only now are steps such as `/.` taken out of it: of `/.//host` the rest is another site's address.
  return page.host === 'page' && !path.startsWith('//') ? path : '/';
}
