import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import {
  submissionExample,
  submissionShape,
  submitAnswer,
} from '../../http/disputes/disputes/submission-shape.ts';
import { submitBody } from '../../http/disputes/disputes/submit-dispute.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { disputePath, merchantOfChanged, noDispute } from './find-dispute.ts';

const body = Type.Object(submitBody.properties, {
  additionalProperties: false,
  examples: [{ stage_only: true }],
});

const submitted = Type.Object(submissionShape.properties, {
  title: 'Submission',
  description: 'It is staged, or submitted.',
  examples: [submissionExample],
});
const pending = Type.Object(submissionShape.properties, {
  title: 'Submission',
  description: "In progress, or the PSP's answer was lost: call again later.",
  examples: [{ ...submissionExample, state: 'unknown', reason: 'no answer within 10000 ms' }],
});

/** POST /api/disputes/{id}/submit */
export const submitDispute = defineEndpoint({
  method: 'POST',
  path: '/api/disputes/{id}/submit',
  needs: { role: 'disputes', reach: 'own' },
  docs: {
    id: 'submitDispute',
    tag: 'Disputes',
    summary: 'Answer a dispute at its PSP',
    description:
      'The evidence is staged, then submitted, once for each stage of the dispute. A repeated call answers with the same submission.',
  },
  schema: { path: disputePath, body },
  body: { isOptional: true },
  answers: { 200: submitted, 202: pending, ...refusals(400, 404, 409, 422) },
  async answer({ path, body }, deps: OperatorContext) {
    const { id: disputeId } = path;
    const merchantId = await merchantOfChanged(deps, path);
    const stageOnly = body.stage_only === true;
    const input = { merchantId, disputeId, stageOnly, actor: 'operator' };
    const answer = submitAnswer(await deps.answers.submit(input));
    if (answer.status === 404) throw noDispute();
    if (answer.status === 409) throw new AppError(answer.code, answer.message);
    if (answer.status === 502) throw new AppError('evidence_not_taken', answer.message);
    return contentAnswer(answer.submission, answer.status);
  },
});
