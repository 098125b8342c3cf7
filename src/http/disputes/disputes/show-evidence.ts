import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { weights } from '../../endpoint/weights.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { disputeFields } from './dispute-shape.ts';
import {
  evidenceAnswers,
  evidenceType,
  noAmountMessage,
  noFormMessage,
  packetAnswer,
} from './evidence-shape.ts';

/** GET /v1/disputes/{id}/evidence */
export const showEvidence = defineEndpoint({
  method: 'GET',
  path: '/v1/disputes/{id}/evidence',
  scope: 'read',
  weight: weights.evidence,
  docs: {
    id: 'showEvidence',
    tag: 'Evidence',
    summary: "Show a dispute's evidence",
    description:
      'JSON, or with `Accept: application/pdf` a document for people. The same facts give the same bytes; the ETag holds the content hash. Opening the analytics records for it is noted in the audit log.',
  },
  schema: { path: Type.Object({ id: disputeFields.id }) },
  answers: {
    ...evidenceAnswers,
    404: detailDocs('There is none with this id.', 'Not Found'),
    406: detailDocs('It has no such form.', noFormMessage),
    409: detailDocs('There is no packet.', noAmountMessage),
  },
  async answer({ path, exchange }, { answers, merchantId }: DisputesContext) {
    const { id: disputeId } = path;
    const { accept, 'if-none-match': ifNoneMatch } = exchange.request.headers;
    const type = evidenceType(accept);
    if (type === undefined) return detailAnswer(406, noFormMessage);
    const reason = `evidence of ${disputeId}`;
    const shown = await answers.packet({ merchantId, disputeId, actor: 'merchant', reason });
    if (shown.kind === 'not_found') return notFound;
    if (shown.kind === 'no_amount') return detailAnswer(409, noAmountMessage);
    return packetAnswer(answers, { packet: shown.packet, type, ifNoneMatch });
  },
});
