import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import {
  submissionExample,
  submissionShape,
  submitAnswer,
} from '../../disputes/disputes/submission-shape.ts';
import { submitBody } from '../../disputes/disputes/submit-dispute.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { type DisputePath, disputePath, merchantOfDispute, noDispute } from './find-dispute.ts';

const body = Type.Object(submitBody.properties, {
  additionalProperties: false,
  'x-optional': true,
  examples: [{ stage_only: true }],
});

const submitted = Type.Object(submissionShape.properties, {
  title: 'Submission',
  description: 'It is staged, or submitted.',
  examples: [submissionExample],
});
const pending = Type.Object(submissionShape.properties, {
  title: 'Submission',
  description: "It is on its way, or the PSP's answer was lost: call again later.",
  examples: [{ ...submissionExample, state: 'unknown', reason: 'no answer within 10000 ms' }],
});

/** POST /api/disputes/{id}/submit */
export function submitDispute(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: DisputePath; Body: Type.Static<typeof submitBody> }>(
    '/disputes/:id/submit',
    {
      schema: {
        tags: ['Disputes'],
        operationId: 'submitDispute',
        summary: 'Answer a dispute at its PSP',
        description:
          'The evidence is staged, then sent on: once for each stage of the dispute. A repetition answers the same submission.',
        params: disputePath,
        body,
        response: { 200: submitted, 202: pending, ...refusals(400, 404, 409, 422) },
      },
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request, reply) => {
      const { id: disputeId } = request.params;
      const merchantId = await merchantOfDispute(deps, request.params);
      const stageOnly = request.body.stage_only === true;
      const input = { merchantId, disputeId, stageOnly, actor: 'operator' };
      const answer = submitAnswer(await deps.answers.submit(input));
      if (answer.status === 404) throw noDispute();
      if (answer.status === 409) throw new AppError('conflict', answer.words);
      if (answer.status === 502) throw new AppError('evidence_not_taken', answer.words);
      reply.code(answer.status);
      return answer.submission;
    },
  );
}
