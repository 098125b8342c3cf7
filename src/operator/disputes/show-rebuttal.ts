import { Type } from 'typebox';
import {
  rebuttalExample,
  rebuttalJson,
  rebuttalShape,
} from '../../http/disputes/disputes/rebuttal-shape.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { merchantDisputePath } from './dispute-of-merchant.ts';
import { noDispute } from './find-dispute.ts';

export const shownRebuttal = Type.Object(rebuttalShape.properties, {
  title: 'Rebuttal',
  description: 'The rebuttal, and where it goes.',
  examples: [rebuttalExample],
});

/** GET /api/merchants/{id}/disputes/{dispute_id}/rebuttal */
export const showRebuttal = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/disputes/{dispute_id}/rebuttal',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'showRebuttal',
    tag: 'Dispute evidence',
    summary: "Show a dispute's rebuttal",
    description:
      'The letter to the issuer that a person wrote. It may name persons, so reading it is noted in the audit log.',
  },
  schema: { path: merchantDisputePath },
  answers: { 200: shownRebuttal, ...refusals(404) },
  async answer({ path }, deps: Pick<OperatorDeps, 'answers'>) {
    const { id: merchantId, dispute_id: disputeId } = path;
    const reason = `rebuttal of ${disputeId}`;
    const asked = { merchantId, disputeId, actor: 'operator', reason };
    const view = await deps.answers.rebuttal(asked);
    if (view === undefined) throw noDispute();
    return contentAnswer(rebuttalJson(view));
  },
});
