import { Type } from 'typebox';
import { attachWords } from '../../../disputes/added/attach-words.ts';
import { sentMessage } from '../../../disputes/added/is-sent.ts';
import { AppError } from '../../../domain/errors.ts';
import { fileOf, isTooLong } from '../../../http/disputes/disputes/add-attachment.ts';
import {
  addedJson,
  attachmentExample,
  attachmentQuery,
  attachmentShape,
  fileExample,
  fileShape,
} from '../../../http/disputes/disputes/attachment-shape.ts';
import { defineEndpoint } from '../../../http/endpoint/define-endpoint.ts';
import { fileMediaType } from '../../../http/endpoint/file-body.ts';
import { contentAnswer } from '../../../http/server/answer.ts';
import type { OperatorDeps } from '../../operator-deps.ts';
import { refusals } from '../../shapes.ts';
import { merchantDisputePath } from '../dispute-of-merchant.ts';
import { noDispute } from '../find-dispute.ts';

const kept = Type.Object(attachmentShape.properties, {
  title: 'Attachment',
  description: 'It is kept.',
  examples: [attachmentExample],
});

const query = Type.Object(attachmentQuery.properties, { additionalProperties: false });

/** POST /api/merchants/{id}/disputes/{dispute_id}/attachments */
export const addAttachment = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/disputes/{dispute_id}/attachments',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'addAttachment',
    tag: 'Dispute evidence',
    summary: "Add a file to a dispute's evidence",
    description:
      'The body is the file itself: a PDF, PNG or JPEG, recognised by its bytes. `Content-Disposition` may name it. Sending the same bytes again gives the same attachment.',
  },
  schema: { path: merchantDisputePath, query },
  documented: { body: fileShape },
  body: { mediaType: fileMediaType, examples: { example: fileExample } },
  answers: { 200: kept, ...refusals(400, 404, 409, 413, 415) },
  async answer({ path, query, exchange }, { answers }: Pick<OperatorDeps, 'answers'>) {
    const { id: merchantId, dispute_id: disputeId } = path;
    const key = { merchantId, disputeId };
    if (isTooLong(exchange)) throw new AppError('attachment_too_large', attachWords.too_large);
    const file = { ...key, ...fileOf(exchange), kind: query.kind, actor: 'operator' };
    const outcome = await answers.attach(file);
    switch (outcome.kind) {
      case 'added':
      case 'known':
        return contentAnswer(addedJson(await answers.attachments(key), outcome.attachment));
      case 'not_found':
        throw noDispute();
      case 'sent':
        throw new AppError('conflict', sentMessage);
      case 'full':
        throw new AppError('conflict', attachWords.full);
      case 'erased':
        throw new AppError('conflict', attachWords.erased);
      case 'too_large':
        throw new AppError('attachment_too_large', attachWords.too_large);
      case 'empty':
        throw new AppError('attachment_refused', attachWords.empty);
      case 'unreadable':
        throw new AppError('attachment_refused', outcome.why);
    }
  },
});
