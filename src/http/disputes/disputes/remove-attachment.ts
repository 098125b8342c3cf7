import { Type } from 'typebox';
import { sentMessage } from '../../../disputes/added/is-sent.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { attachmentExample } from './attachment-shape.ts';
import { attachmentPath } from './show-attachment.ts';

/** DELETE /v1/disputes/{id}/attachments/{attachment_id} */
export const removeAttachment = defineEndpoint({
  method: 'DELETE',
  path: '/v1/disputes/{id}/attachments/{attachment_id}',
  scope: 'act',
  docs: {
    id: 'removeAttachment',
    tag: 'Evidence',
    summary: "Remove a file from a dispute's evidence",
    description:
      'Possible until it is sent with the evidence; after that it stays, as the record of what was sent.',
  },
  schema: { path: attachmentPath },
  answers: {
    200: {
      description: 'It is removed.',
      schema: Type.Object({ id: Type.String({ description: 'Its id.' }) }),
      example: { id: attachmentExample.id },
    },
    404: detailDocs('There is none with this id.', 'Not Found'),
    409: detailDocs('It was sent on.', sentMessage),
  },
  async answer({ path }, { answers, merchantId }: DisputesContext) {
    const { id: disputeId, attachment_id: attachmentId } = path;
    const input = { merchantId, disputeId, attachmentId, actor: 'merchant' };
    switch (await answers.removeAttachment(input)) {
      case 'removed':
        return jsonAnswer(200, { id: attachmentId });
      case 'not_found':
        return notFound;
      case 'sent':
        return detailAnswer(409, sentMessage);
    }
  },
});
