import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { termsFields, whatIfJson, whatIfShape } from './what-if-shape.ts';

const body = Type.Object(termsFields, {
  additionalProperties: false,
  examples: [
    {
      merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
      policy: 'learned',
      window_days: 14,
      max_tries: 4,
    },
  ],
});

/** POST /api/what-ifs */
export function requestWhatIf(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Body: Type.Static<typeof body> }>(
    '/what-ifs',
    {
      schema: {
        tags: ['Models'],
        operationId: 'requestWhatIf',
        summary: 'Test a window, tries and policy on past charges',
        description:
          'A worker tests it on the merchant’s own charges, in minutes where there are many; GET ' +
          '/api/what-ifs says how far it is. The same terms again replace the result; asked for while ' +
          'it is under way, it goes on. Nothing is charged or changed. It stands in the audit log.',
        body,
        response: { 202: whatIfShape, ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { merchant_id, policy, window_days, max_tries } = request.body;
      const whatIf = await deps.api.requestWhatIf({
        merchantId: merchant_id,
        policy,
        windowDays: window_days,
        maxTries: max_tries,
      });
      return reply.code(202).send(whatIfJson(found(whatIf)));
    },
  );
}
