import { Type } from 'typebox';
import { secondMs } from '../../../domain/clock.ts';
import { AppError, invariant } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import {
  defaultPortalSeconds,
  newPortalLinkBody,
  portalLinkExample,
  portalLinkJson,
  portalLinkShape,
} from '../../views/portal-link-shape.ts';
import { conflict } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { refusalDocs } from '../message-docs.ts';

const path = '/recover/portal_links';
const tooMany =
  'The merchant already has the maximum of 1000 valid portal links. Revoke them first.';

/** POST /recover/portal_links. Reading is enough: whoever may read comes into the portal by the key itself. */
export const createPortalLink = defineEndpoint({
  method: 'POST',
  path,
  scope: 'read',
  answersSecret: true,
  docs: {
    id: 'createPortalLink',
    tag: 'Portal',
    summary: 'Create a link to your portal',
    description:
      'Whoever opens it reads what is yours, and changes nothing: money, payments, webhooks, disputes. Make one for ' +
      'each visit, for the person whom your own page has let in. It ends by its time, when all links are revoked, and ' +
      'with the API key that asked for it.',
  },
  schema: { body: newPortalLinkBody },
  body: {
    isOptional: true,
    examples: {
      to_open: { expires_in_seconds: 3600 },
      in_a_frame: { embed_origin: 'https://app.example.com' },
    },
  },
  answers: {
    200: {
      description: 'The link. It cannot be read again.',
      schema: portalLinkShape,
      example: portalLinkExample,
    },
    409: refusalDocs('There are as many valid links as there may be.', 'Conflict', tooMany),
  },
  async answer({ body, exchange }, { api, caller, operatorUrl }: RecoveryContext) {
    const { expires_in_seconds: seconds = defaultPortalSeconds, embed_origin: embedOrigin } = body;
    const { merchantId, credentialId } = caller;
    const { address } = exchange.request;
    const asked = { merchantId, credentialId, address, validMs: seconds * secondMs };
    try {
      const link = await api.createPortalLink({ ...asked, ...present({ embedOrigin }) });
      invariant(link !== undefined, 'the merchant of a key is there');
      return jsonAnswer(200, portalLinkJson(link, operatorUrl()));
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return conflict(error.detail);
      throw error;
    }
  },
});

/** DELETE /recover/portal_links */
export const revokePortalLinks = defineEndpoint({
  method: 'DELETE',
  path,
  scope: 'act',
  docs: {
    id: 'revokePortalLinks',
    tag: 'Portal',
    summary: 'Revoke all links to your portal',
    description:
      'At once, with the sessions that they opened, whoever made them. Who came with an API key stays until that is revoked.',
  },
  schema: { body: Type.Object({}, { description: 'May be left out: there is nothing in it.' }) },
  body: { isOptional: true, examples: { empty: {} } },
  answers: {
    200: {
      description: 'They open nothing any more.',
      schema: Type.Object({
        revoked: Type.Integer({ minimum: 0, description: 'Links that were valid.' }),
      }),
      example: { revoked: 2 },
    },
  },
  async answer({ exchange }, { api, caller }: RecoveryContext) {
    const { merchantId, credentialId } = caller;
    const { address } = exchange.request;
    const revoked = await api.revokePortalLinks({ merchantId, credentialId, address });
    invariant(revoked !== undefined, 'the merchant of a key is there');
    return jsonAnswer(200, { revoked });
  },
});
