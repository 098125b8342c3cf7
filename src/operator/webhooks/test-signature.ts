import { Type } from 'typebox';
import { limits } from '../../domain/limits.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';

const body = Type.Object(
  {
    body: Type.String({
      maxLength: limits.requestBodyBytes,
      description: 'The raw body as it was received.',
      'x-verbatim': true,
    }),
    expiration: Type.String({ maxLength: 100, description: 'X-Service-Webhook-Expiration.' }),
    signature: Type.String({ maxLength: 200, description: 'X-Service-Webhook-Signature.' }),
  },
  {
    additionalProperties: false,
    examples: [
      { body: '{"timestamp":"…"}', expiration: '1772366700', signature: 'b54090fca23c7a18…' },
    ],
  },
);

const verdictShape = Type.Object(
  {
    verdict: enumField(['valid', 'expired', 'body_changed', 'wrong'], 'What it is.'),
    because: Type.Optional(Type.String({ description: 'The likeliest reason, in words.' })),
    expired_at: Type.Optional(timeField('When it ended.')),
  },
  {
    title: 'SignatureVerdict',
    description: 'Whether the webhook is one of ours, by the secrets that are valid now.',
    examples: [{ verdict: 'valid' }],
  },
);

/** POST /api/merchants/{id}/webhooks/verify */
export const testSignature = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/webhooks/verify',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'testSignature',
    tag: 'Deliveries',
    summary: 'Judge the signature of a received webhook',
    description: 'For engineers whose verification fails. Changes nothing.',
  },
  schema: { path: merchantPath, body },
  answers: { 200: verdictShape, ...refusals(400, 404) },
  async answer({ path, body: received }, deps: OperatorDeps) {
    const { merchantId } = await findMerchant(deps.db, path.id);
    const verdict = await deps.api.testSignature({ merchantId, ...received });
    switch (verdict.kind) {
      case 'valid':
        return contentAnswer({ verdict: 'valid' });
      case 'expired':
        return contentAnswer({ verdict: 'expired', expired_at: verdict.expiredAt.toISOString() });
      case 'body_changed':
        return contentAnswer({ verdict: 'body_changed', because: verdict.how });
      case 'wrong':
        return contentAnswer({ verdict: 'wrong', because: verdict.why });
    }
  },
});
