import { Type } from 'typebox';
import { sentMessage } from '../../../disputes/added/is-sent.ts';
import { AppError } from '../../../domain/errors.ts';
import { defineEndpoint } from '../../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../../http/server/answer.ts';
import type { OperatorDeps } from '../../operator-deps.ts';
import { refusals } from '../../shapes.ts';
import { attachmentPath, noAttachment } from './attachment-path.ts';

/** DELETE /api/merchants/{id}/disputes/{dispute_id}/attachments/{attachment_id} */
export const removeAttachment = defineEndpoint({
  method: 'DELETE',
  path: '/api/merchants/{id}/disputes/{dispute_id}/attachments/{attachment_id}',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'removeAttachment',
    tag: 'Dispute evidence',
    summary: "Remove a file from a dispute's evidence",
    description:
      'Possible until it is sent with the evidence; after that it stays, as the record of what was sent.',
  },
  schema: { path: attachmentPath },
  answers: { 204: Type.Null({ description: 'It is removed.' }), ...refusals(404, 409) },
  async answer({ path }, { answers }: Pick<OperatorDeps, 'answers'>) {
    const { id: merchantId, dispute_id: disputeId, attachment_id: attachmentId } = path;
    const input = { merchantId, disputeId, attachmentId, actor: 'operator' };
    switch (await answers.removeAttachment(input)) {
      case 'removed':
        return noContent;
      case 'not_found':
        throw noAttachment();
      case 'sent':
        throw new AppError('conflict', sentMessage);
    }
  },
});
