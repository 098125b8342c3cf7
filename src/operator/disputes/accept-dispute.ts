import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import {
  acceptAnswer,
  acceptanceExample,
  acceptanceShape,
} from '../../http/disputes/disputes/acceptance-shape.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { disputePath, merchantOfChanged, noDispute } from './find-dispute.ts';

const accepted = Type.Object(acceptanceShape.properties, {
  title: 'DisputeAcceptance',
  description: 'It is accepted.',
  examples: [acceptanceExample],
});
const pending = Type.Object(acceptanceShape.properties, {
  title: 'DisputeAcceptance',
  description: "In progress, or the PSP's answer was lost: call again later.",
  examples: [{ ...acceptanceExample, state: 'unknown', reason: 'no answer within 10000 ms' }],
});

/** POST /api/disputes/{id}/accept */
export const acceptDispute = defineEndpoint({
  method: 'POST',
  path: '/api/disputes/{id}/accept',
  needs: { role: 'disputes', reach: 'own' },
  docs: {
    id: 'acceptDispute',
    tag: 'Disputes',
    summary: 'Accept a dispute at its PSP',
    description:
      'The dispute is not contested and the disputed amount is given up for good. Possible once for each stage of the dispute, and only if no evidence was submitted. A repeated call answers with the same acceptance.',
  },
  schema: { path: disputePath },
  answers: { 200: accepted, 202: pending, ...refusals(404, 409, 422) },
  async answer({ path }, deps: Pick<OperatorContext, 'db' | 'answers' | 'caller' | 'moveOf'>) {
    const { id: disputeId } = path;
    const merchantId = await merchantOfChanged(deps, path);
    const answer = acceptAnswer(
      await deps.answers.accept({ merchantId, disputeId, actor: 'operator' }),
    );
    if (answer.status === 404) throw noDispute();
    if (answer.status === 409) throw new AppError('conflict', answer.message);
    if (answer.status === 502) throw new AppError('acceptance_not_taken', answer.message);
    return contentAnswer(answer.acceptance, answer.status);
  },
});
