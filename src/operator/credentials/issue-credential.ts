import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { issuedJson, issuedShape, kindField, wantedFields, wantedOf } from './credential-shape.ts';

const issueBody = Type.Object(
  { kind: kindField, ...wantedFields },
  {
    additionalProperties: false,
    examples: [{ kind: 'recovery_api_key', scopes: ['intake'], name: 'Billing' }],
  },
);

/** POST /api/merchants/{id}/credentials */
export const issueCredential = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/credentials',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'issueCredential',
    tag: 'Credentials',
    summary: 'Issue a credential',
    description:
      'Existing ones of the same kind stay valid. It cannot be read again: store it now.',
  },
  schema: { path: merchantPath, body: issueBody },
  answers: { 201: issuedShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { id } = path;
    const issued = found(await deps.api.issueCredential(id, wantedOf(body)));
    return contentAnswer(issuedJson(issued), 201);
  },
});
