import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { type PspPath, pspPath } from './psp-shape.ts';

/** DELETE /api/merchants/{id}/psps/{psp} */
export function disconnectPsp(server: FastifyInstance, deps: OperatorDeps): void {
  server.delete<{ Params: PspPath }>(
    '/merchants/:id/psps/:psp',
    {
      schema: {
        tags: ['PSP connections'],
        operationId: 'disconnectPsp',
        summary: 'Disconnect a processor and forget its credentials',
        description:
          'Payments that were to be charged there wait until it is connected again or their window ends.',
        params: pspPath,
        response: {
          204: Type.Null({ description: 'Its credentials are gone.' }),
          ...refusals(404, 409),
        },
      },
    },
    async (request, reply) => {
      const { id, psp } = request.params;
      if (!(await deps.api.disconnectPsp(id, psp))) {
        throw new AppError('not_found', `There is no connection to ${psp}.`);
      }
      return reply.code(204).send();
    },
  );
}
