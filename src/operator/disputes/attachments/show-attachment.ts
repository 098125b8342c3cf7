import {
  downloadAnswer,
  downloadAnswers,
} from '../../../http/disputes/disputes/attachment-shape.ts';
import { defineEndpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { OperatorDeps } from '../../operator-deps.ts';
import { refusals } from '../../shapes.ts';
import { attachmentPath, noAttachment } from './attachment-path.ts';

/** GET /api/merchants/{id}/disputes/{dispute_id}/attachments/{attachment_id} */
export const showAttachment = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/disputes/{dispute_id}/attachments/{attachment_id}',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'showAttachment',
    tag: 'Dispute evidence',
    summary: "Read a file of a dispute's evidence",
    description: 'Exactly as it was uploaded, as a download. Reading it is noted in the audit log.',
  },
  schema: { path: attachmentPath },
  answers: {
    ...downloadAnswers,
    ...refusals(404),
  },
  async answer({ path }, { answers }: Pick<OperatorDeps, 'answers'>) {
    const { id: merchantId, dispute_id: disputeId, attachment_id: attachmentId } = path;
    const asked = { merchantId, disputeId, attachmentId, actor: 'operator' };
    const found = await answers.readAttachment({ ...asked, reason: `file of ${disputeId}` });
    if (found === undefined) throw noAttachment();
    return downloadAnswer(found);
  },
});
