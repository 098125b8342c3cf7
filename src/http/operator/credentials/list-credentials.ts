import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';
import { credentialJson, credentialShape } from './credential-shape.ts';

const listShape = Type.Object(
  { items: Type.Array(credentialShape) },
  { description: 'All of them; their texts are never shown.' },
);

/** GET /api/merchants/{id}/credentials */
export function listCredentials(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: MerchantPath }>(
    '/merchants/:id/credentials',
    {
      schema: {
        tags: ['Credentials'],
        operationId: 'listCredentials',
        summary: "List a merchant's credentials",
        params: merchantPath,
        response: { 200: listShape, ...refusals(404) },
      },
    },
    async (request) => {
      const credentials = found(await deps.api.listCredentials(request.params.id));
      return { items: credentials.map(credentialJson) };
    },
  );
}
