import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { weights } from '../../endpoint/weights.ts';
import { notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { downloadAnswer, downloadAnswers } from './attachment-shape.ts';
import { disputeFields } from './dispute-shape.ts';

export const attachmentPath = Type.Object({
  id: disputeFields.id,
  attachment_id: Type.String({ description: 'Our id of the file.' }),
});

/** GET /v1/disputes/{id}/attachments/{attachment_id} */
export const showAttachment = defineEndpoint({
  method: 'GET',
  path: '/v1/disputes/{id}/attachments/{attachment_id}',
  scope: 'read',
  weight: weights.evidence,
  docs: {
    id: 'showAttachment',
    tag: 'Evidence',
    summary: "Read a file of a dispute's evidence",
    description: 'Exactly as it was uploaded, as a download. Reading it is noted in the audit log.',
  },
  schema: { path: attachmentPath },
  answers: {
    ...downloadAnswers,
    404: detailDocs('There is none with this id.', 'Not Found'),
  },
  async answer({ path }, { answers, merchantId }: DisputesContext) {
    const { id: disputeId, attachment_id: attachmentId } = path;
    const asked = { merchantId, disputeId, attachmentId, actor: 'merchant' };
    const found = await answers.readAttachment({ ...asked, reason: `file of ${disputeId}` });
    return found === undefined ? notFound : downloadAnswer(found);
  },
});
