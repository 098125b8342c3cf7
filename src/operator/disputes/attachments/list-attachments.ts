import { Type } from 'typebox';
import {
  attachmentsExample,
  attachmentsJson,
  attachmentsShape,
} from '../../../http/disputes/disputes/attachment-shape.ts';
import { defineEndpoint } from '../../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../../http/server/answer.ts';
import type { OperatorDeps } from '../../operator-deps.ts';
import { refusals } from '../../shapes.ts';
import { merchantDisputePath } from '../dispute-of-merchant.ts';
import { noDispute } from '../find-dispute.ts';

const shape = Type.Object(attachmentsShape.properties, {
  title: 'Attachments',
  description: 'The files.',
  examples: [attachmentsExample],
});

/** GET /api/merchants/{id}/disputes/{dispute_id}/attachments */
export const listAttachments = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/disputes/{dispute_id}/attachments',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'listAttachments',
    tag: 'Dispute evidence',
    summary: "List the files of a dispute's evidence",
    description: 'Each with where it goes at the PSP, or why it does not go there.',
  },
  schema: { path: merchantDisputePath },
  answers: { 200: shape, ...refusals(404) },
  async answer({ path }, { answers }: Pick<OperatorDeps, 'answers'>) {
    const { id: merchantId, dispute_id: disputeId } = path;
    const view = await answers.attachments({ merchantId, disputeId });
    if (view === undefined) throw noDispute();
    return contentAnswer(attachmentsJson(view));
  },
});
