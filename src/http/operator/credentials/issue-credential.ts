import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';
import { issuedJson, issuedShape, kindField } from './credential-shape.ts';

const issueBody = Type.Object(
  { kind: kindField },
  { additionalProperties: false, examples: [{ kind: 'recovery_api_key' }] },
);

/** POST /api/merchants/{id}/credentials */
export function issueCredential(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: MerchantPath; Body: Type.Static<typeof issueBody> }>(
    '/merchants/:id/credentials',
    {
      schema: {
        tags: ['Credentials'],
        operationId: 'issueCredential',
        summary: 'Issue a credential',
        description: 'The present ones of its kind stay valid. It cannot be read again: keep it.',
        params: merchantPath,
        body: issueBody,
        response: { 201: issuedShape, ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const issued = found(await deps.api.issueCredential(id, request.body.kind));
      return reply.code(201).send(issuedJson(issued));
    },
  );
}
