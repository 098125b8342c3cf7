import { Type } from 'typebox';
import { attachWords } from '../../../disputes/added/attach-words.ts';
import { attachmentBytes } from '../../../disputes/added/attachment.ts';
import { sentMessage } from '../../../disputes/added/is-sent.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import type { Exchange } from '../../endpoint/exchange.ts';
import { bareType, fileBody, fileMediaType, fileNameIn } from '../../endpoint/file-body.ts';
import { type Answer, jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { validationAnswer, validationDocs } from '../validation-answer.ts';
import {
  addedJson,
  attachmentExample,
  attachmentQuery,
  attachmentShape,
  fileExample,
  fileShape,
} from './attachment-shape.ts';
import { disputeFields } from './dispute-shape.ts';

/** POST /v1/disputes/{id}/attachments */
export const addAttachment = defineEndpoint({
  method: 'POST',
  path: '/v1/disputes/{id}/attachments',
  scope: 'act',
  docs: {
    id: 'addAttachment',
    tag: 'Evidence',
    summary: "Add a file to a dispute's evidence",
    description:
      'The body is the file: a PDF, a PNG or a JPEG, which its bytes have to be. `Content-Disposition` may name it. It is sealed, is part of the packet by its SHA-256, and goes to the PSP with the answer. The same bytes again are the same attachment.',
  },
  schema: { path: Type.Object({ id: disputeFields.id }), query: attachmentQuery },
  documented: { body: fileShape },
  body: { mediaType: fileMediaType, examples: { example: fileExample } },
  answers: {
    200: { description: 'It is kept.', schema: attachmentShape, example: attachmentExample },
    404: detailDocs('There is none with this id.', 'Not Found'),
    409: detailDocs('It cannot be added any more, or there are too many.', sentMessage),
    413: detailDocs('The file is too large.', attachWords.too_large),
    422: validationDocs,
  },
  async answer({ path, query, exchange }, { answers, merchantId }: DisputesContext) {
    const { id: disputeId } = path;
    const key = { merchantId, disputeId };
    if (isTooLong(exchange)) return detailAnswer(413, attachWords.too_large);
    const outcome = await answers.attach({
      ...key,
      ...fileOf(exchange),
      kind: query.kind,
      actor: 'merchant',
    });
    switch (outcome.kind) {
      case 'added':
      case 'known':
        return jsonAnswer(200, addedJson(await answers.attachments(key), outcome.attachment));
      case 'not_found':
        return notFound;
      case 'sent':
        return detailAnswer(409, sentMessage);
      case 'full':
        return detailAnswer(409, attachWords.full);
      case 'erased':
        return detailAnswer(409, attachWords.erased);
      case 'too_large':
        return detailAnswer(413, attachWords.too_large);
      case 'empty':
        return unreadable(attachWords.empty);
      case 'unreadable':
        return unreadable(outcome.why);
    }
  },
});

/** What a request says of the file in its body. */
export function fileOf(exchange: Exchange) {
  const disposition = exchange.request.headers['content-disposition'];
  const name = fileNameIn(typeof disposition === 'string' ? disposition : undefined);
  const saidType = exchange.contentType && bareType(exchange.contentType);
  return { body: fileBody(exchange), ...present({ name, saidType }) };
}

/** Whether a body says that it is too long: then none of it is kept. */
export function isTooLong({ request }: Exchange): boolean {
  return Number(request.headers['content-length']) > attachmentBytes;
}

function unreadable(msg: string): Answer {
  return validationAnswer([{ loc: ['body'], msg, type: 'value_error' }]);
}
