import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { OperatorDeps } from '../operator-deps.ts';
import { pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { merchantJson, merchantShape } from './merchant-shape.ts';

const query = Type.Object(pageQuery, { additionalProperties: false });

/** GET /api/merchants */
export function listMerchants(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Querystring: Type.Static<typeof query> }>(
    '/merchants',
    {
      schema: {
        tags: ['Merchants'],
        operationId: 'listMerchants',
        summary: 'List merchants',
        querystring: query,
        response: { 200: pageShape(merchantShape, 'One page of them.'), ...refusals(400) },
      },
    },
    async (request) => {
      const page = await deps.api.listMerchants(pageOf(request.query));
      return pageJson(page, (merchant) => merchantJson(merchant, deps.disputesUrl));
    },
  );
}
