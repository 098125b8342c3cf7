import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { wholeBody } from '../../domain/json/fault.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { Exchange } from '../../http/endpoint/exchange.ts';
import { type Answer, noContent } from '../../http/server/answer.ts';
import { isSameOrigin } from '../../http/server/same-origin.ts';
import type { PortalPass } from '../../recovery/people/portal-api.ts';
import { refuseFaults } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { Door } from './authorize.ts';
import { holderOf } from './holder-of.ts';
import { refuseToken } from './refuse-token.ts';
import { cameOverTls, portalCookie, sessionCookie } from './session-cookie.ts';
import { noteSignIn } from './sign-in-log.ts';

const textField = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description, 'x-verbatim': true }));

const body = Type.Object(
  {
    token: textField('A personal token, or OPERATOR_TOKEN.'),
    portal_token: textField("What a link to a merchant's portal has after its #."),
    api_key: textField(
      'A key of the recovery API with the scope read, for the portal of its merchant.',
    ),
  },
  { additionalProperties: false },
);

type Deps = Pick<
  OperatorDeps,
  'db' | 'operatorToken' | 'people' | 'portals' | 'machine' | 'now' | 'log'
>;

/** POST /api/session: one of three texts for a cookie. For the dashboard alone. */
export function createSession(deps: Deps, door: Door): Endpoint<unknown> {
  return defineEndpoint({
    method: 'POST',
    path: '/api/session',
    schema: { body },
    async answer({ body, exchange }) {
      if (!isSameOrigin(exchange.request)) throw new AppError('cross_site_refused');
      const { token, portal_token: link, api_key: key } = body;
      if (Object.keys(body).length !== 1) refuseFaults([{ at: wholeBody, text: oneOf }]);
      if (token !== undefined) return await openForOperator(deps, door, { exchange, token });
      const pass =
        link === undefined
          ? await deps.portals.passByKey(key ?? '')
          : await deps.portals.passByLink(link);
      return await openForPortal(deps, door, { exchange, pass, isLink: link !== undefined });
    },
  });
}

const oneOf = 'Send one of token, portal_token and api_key';

async function openForOperator(
  deps: Deps,
  door: Door,
  { exchange, token }: { readonly exchange: Exchange; readonly token: string },
): Promise<Answer> {
  const { request } = exchange;
  const holder = await holderOf(deps, token);
  if (holder === undefined) throw await refuseToken(deps, door.wrongTokens, exchange);
  const session = await door.sessions.open(holder);
  const actor = present({ actor: holder.operatorId });
  await noteSignIn(deps, { action: 'operator.signed_in', request, ...actor });
  const cookie = sessionCookie(cameOverTls(request), session, deps.machine.now());
  return { ...noContent, headers: { 'set-cookie': cookie } };
}

async function openForPortal(
  deps: Deps,
  door: Door,
  input: {
    readonly exchange: Exchange;
    readonly pass: PortalPass | undefined;
    readonly isLink: boolean;
  },
): Promise<Answer> {
  const { exchange, pass, isLink } = input;
  const { request } = exchange;
  const session = pass && (await door.portals.open(pass));
  if (pass === undefined || session === undefined) {
    const refused = await refuseToken(deps, door.wrongTokens, exchange);
    if (refused.code === 'too_many_requests') throw refused;
    throw new AppError(
      'portal_refused',
      isLink ? 'The link has expired or was revoked.' : undefined,
    );
  }
  const isOfLink = pass.kind === 'link';
  const merchantId = isOfLink ? pass.link.merchantId : pass.merchantId;
  const detail = isOfLink ? { link_id: pass.link.linkId } : { credential_id: pass.credentialId };
  const line = { action: 'portal.opened', request, merchantId, actor: 'portal', detail } as const;
  await noteSignIn(deps, line);
  const cookie = portalCookie(session, {
    isSecure: cameOverTls(request),
    isFramed: isOfLink && pass.link.embedOrigin !== undefined,
    now: deps.machine.now(),
  });
  return { ...noContent, headers: { 'set-cookie': cookie } };
}
