import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import { timeField, wordField } from '../../fields.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';

const body = Type.Object(
  {
    body: Type.String({
      maxLength: limits.requestBodyBytes,
      description: 'The raw body as it was received.',
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
    verdict: wordField(['valid', 'expired', 'body_changed', 'wrong'], 'What it is.'),
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
export function testSignature(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: MerchantPath; Body: Type.Static<typeof body> }>(
    '/merchants/:id/webhooks/verify',
    {
      schema: {
        tags: ['Deliveries'],
        operationId: 'testSignature',
        summary: 'Judge the signature of a received webhook',
        description: 'For an engineer whose verification fails. Changes nothing.',
        params: merchantPath,
        body,
        response: { 200: verdictShape, ...refusals(400, 404) },
      },
    },
    async (request): Promise<Type.Static<typeof verdictShape>> => {
      const { merchantId } = await findMerchant(deps.api, request.params.id);
      const verdict = await deps.api.testSignature({ merchantId, ...request.body });
      switch (verdict.kind) {
        case 'valid':
          return { verdict: 'valid' };
        case 'expired':
          return { verdict: 'expired', expired_at: verdict.expiredAt.toISOString() };
        case 'body_changed':
          return { verdict: 'body_changed', because: verdict.how };
        case 'wrong':
          return { verdict: 'wrong', because: verdict.why };
      }
    },
  );
}
