import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import {
  evidenceExample,
  evidenceHeaders,
  evidenceJson,
  evidenceShape,
  evidenceType,
  matchesTag,
  noAmountWords,
} from '../../disputes/disputes/evidence-shape.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { type DisputePath, disputePath, merchantOfDispute, noDispute } from './find-dispute.ts';

const shape = Type.Object(evidenceShape.properties, {
  title: 'Evidence',
  description: 'The packet.',
  examples: [evidenceExample],
});

/** GET /api/disputes/{id}/evidence */
export function showEvidence(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: DisputePath }>(
    '/disputes/:id/evidence',
    {
      schema: {
        tags: ['Disputes'],
        operationId: 'showEvidence',
        summary: "Show a dispute's evidence",
        description:
          'JSON, or with `Accept: application/pdf` a document for people. The ETag holds the content hash. Captures are opened for it, and the audit log says so.',
        params: disputePath,
        response: { 200: shape, ...refusals(404, 406, 409) },
      },
      // What the packet holds is what was hashed: nothing is left out by a schema.
      serializerCompiler: () => (value) => JSON.stringify(value),
    },
    async (request, reply) => {
      const { id: disputeId } = request.params;
      const merchantId = await merchantOfDispute(deps, request.params);
      const type = evidenceType(request.headers.accept);
      if (type === undefined) throw new AppError('not_acceptable');
      const reason = `evidence of ${disputeId}`;
      const asked = { merchantId, disputeId, actor: 'operator', reason };
      const shown = await deps.answers.packet(asked);
      if (shown.kind === 'not_found') throw noDispute();
      if (shown.kind === 'no_amount') throw new AppError('conflict', noAmountWords);
      const headers = evidenceHeaders(shown.packet, type);
      reply.headers(headers);
      if (matchesTag(request.headers['if-none-match'], headers.etag)) {
        return reply.code(304).send();
      }
      if (type === 'application/json') return evidenceJson(shown.packet);
      return reply.send(Buffer.from(await deps.answers.pdf(shown.packet)));
    },
  );
}
