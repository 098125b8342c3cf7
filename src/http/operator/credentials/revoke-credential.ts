import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { credentialIdField } from './credential-shape.ts';

const path = Type.Object({ id: merchantIdField, credential_id: credentialIdField });

/** DELETE /api/merchants/{id}/credentials/{credential_id} */
export function revokeCredential(server: FastifyInstance, deps: OperatorDeps): void {
  server.delete<{ Params: Type.Static<typeof path> }>(
    '/merchants/:id/credentials/:credential_id',
    {
      schema: {
        tags: ['Credentials'],
        operationId: 'revokeCredential',
        summary: 'Revoke a credential at once',
        params: path,
        response: {
          204: Type.Null({ description: 'It is not valid any more.' }),
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      const { id, credential_id: credentialId } = request.params;
      const isRevoked = await deps.api.revokeCredential(id, credentialId);
      if (!isRevoked) {
        throw new AppError('not_found', 'The merchant has no valid credential of this id.');
      }
      return reply.code(204).send();
    },
  );
}
