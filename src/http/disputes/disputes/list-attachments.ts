import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { attachmentsExample, attachmentsJson, attachmentsShape } from './attachment-shape.ts';
import { disputeFields } from './dispute-shape.ts';

/** GET /v1/disputes/{id}/attachments */
export const listAttachments = defineEndpoint({
  method: 'GET',
  path: '/v1/disputes/{id}/attachments',
  scope: 'read',
  docs: {
    id: 'listAttachments',
    tag: 'Evidence',
    summary: "List the files of a dispute's evidence",
    description: 'Each with where it goes at the PSP, or why it does not go there.',
  },
  schema: { path: Type.Object({ id: disputeFields.id }) },
  answers: {
    200: { description: 'The files.', schema: attachmentsShape, example: attachmentsExample },
    404: detailDocs('There is none with this id.', 'Not Found'),
  },
  async answer({ path }, { answers, merchantId }: DisputesContext) {
    const view = await answers.attachments({ merchantId, disputeId: path.id });
    return view === undefined ? notFound : jsonAnswer(200, attachmentsJson(view));
  },
});
