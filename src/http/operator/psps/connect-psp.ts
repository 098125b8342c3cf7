import type { FastifyInstance } from 'fastify';
import { found } from '../merchants/find-merchant.ts';
import { type PspBody, pspBody, pspConnection } from '../merchants/merchant-body.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { type MerchantPath, merchantPath, refusals } from '../shapes.ts';
import { pspConnectionJson, pspConnectionShape } from './psp-shape.ts';

/** POST /api/merchants/{id}/psps */
export function connectPsp(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: MerchantPath; Body: PspBody }>(
    '/merchants/:id/psps',
    {
      schema: {
        tags: ['PSP connections'],
        operationId: 'connectPsp',
        summary: 'Connect a processor, or change its credentials',
        description:
          'The processor is asked about the credentials first: those that it refuses are not saved. Other connections stay.',
        params: merchantPath,
        body: pspBody,
        response: { 200: pspConnectionShape, ...refusals(400, 404, 422) },
      },
    },
    async (request) => {
      const connection = pspConnection(request.body);
      return pspConnectionJson(found(await deps.api.connectPsp(request.params.id, connection)));
    },
  );
}
