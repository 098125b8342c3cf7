import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../domain/errors.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { type PspPath, pspConnectionJson, pspConnectionShape, pspPath } from './psp-shape.ts';

/** POST /api/merchants/{id}/psps/{psp}/test */
export function testPsp(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: PspPath }>(
    '/merchants/:id/psps/:psp/test',
    {
      schema: {
        tags: ['PSP connections'],
        operationId: 'testPsp',
        summary: 'Test a connection as it is saved',
        description: 'Moves no money. Also when the processor refuses, the connection stays.',
        params: pspPath,
        response: { 200: pspConnectionShape, ...refusals(404) },
      },
    },
    async (request) => {
      const { id, psp } = request.params;
      const view = await deps.api.testPsp(id, psp);
      if (view === undefined) throw new AppError('not_found', `There is no connection to ${psp}.`);
      return pspConnectionJson(view);
    },
  );
}
