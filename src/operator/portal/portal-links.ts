import { Type } from 'typebox';
import { secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import {
  defaultPortalSeconds,
  newPortalLinkBody,
  portalLinkJson,
  portalLinkShape,
} from '../../http/views/portal-link-shape.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { countField, merchantPath, refusals } from '../shapes.ts';

const needs = { role: 'operator', reach: 'path' } as const;

/** POST /api/merchants/{id}/portal-links */
export const createPortalLink = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/portal-links',
  needs,
  docs: {
    id: 'createPortalLink',
    tag: 'Portal',
    summary: "Create a link to a merchant's portal",
    description:
      'Whoever opens it reads what belongs to this merchant, without being an operator: money, payments, webhooks, disputes. They change nothing.',
  },
  schema: { path: merchantPath, body: newPortalLinkBody },
  body: { isOptional: true },
  answers: { 201: portalLinkShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: Pick<OperatorDeps, 'portals' | 'operatorUrl'>) {
    const { expires_in_seconds: seconds = defaultPortalSeconds, embed_origin: embedOrigin } = body;
    const asked = { merchantId: path.id, validMs: seconds * secondMs, ...present({ embedOrigin }) };
    const link = found(await deps.portals.createLink(asked));
    return contentAnswer(portalLinkJson(link, deps.operatorUrl()), 201);
  },
});

/** DELETE /api/merchants/{id}/portal-links */
export const revokePortalLinks = defineEndpoint({
  method: 'DELETE',
  path: '/api/merchants/{id}/portal-links',
  needs,
  docs: {
    id: 'revokePortalLinks',
    tag: 'Portal',
    summary: "Revoke all links to a merchant's portal",
    description:
      'At once, in every process, with the sessions that they opened. Who came with an API key stays until that is revoked.',
  },
  schema: { path: merchantPath },
  answers: {
    200: Type.Object(
      { revoked: countField('Links that were valid.') },
      { description: 'They open nothing any more.', examples: [{ revoked: 2 }] },
    ),
    ...refusals(404),
  },
  async answer({ path }, { portals }: Pick<OperatorDeps, 'portals'>) {
    return contentAnswer({ revoked: found(await portals.revokeLinks(path.id)) });
  },
});
