import { Type } from 'typebox';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import { detailDocs } from '../detail-docs.ts';
import type { WholeEndpoint } from '../endpoint.ts';
import { disputeIdIn } from './dispute-id.ts';
import { disputeFields } from './dispute-shape.ts';
import {
  evidenceExample,
  evidenceHeaders,
  evidenceJson,
  evidenceShape,
  evidenceType,
  matchesTag,
  noAmountWords,
} from './evidence-shape.ts';

const notAcceptable = 'Evidence comes as application/json or application/pdf.';

/** GET /v1/disputes/{id}/evidence */
export const showEvidence: WholeEndpoint = {
  kind: 'whole',
  method: 'GET',
  paths: ['/v1/disputes/{id}/evidence'],
  operation: {
    operationId: 'showEvidence',
    tag: 'Disputes',
    summary: "Show a dispute's evidence",
    description:
      'JSON, or with `Accept: application/pdf` a document for people. The same facts give the same bytes; the ETag holds the content hash. Captures are opened for it, and the audit log says so.',
    path: Type.Object({ id: disputeFields.id }),
    answers: {
      200: { description: 'The packet.', schema: evidenceShape, example: evidenceExample },
      404: detailDocs('There is none by this id.', 'Not Found'),
      406: detailDocs('It has no such form.', notAcceptable),
      409: detailDocs('There is no packet.', noAmountWords),
    },
  },
  async answer({ answers, merchantId, path, accept, ifNoneMatch }) {
    const disputeId = disputeIdIn(path);
    if (disputeId === undefined) return notFound;
    const type = evidenceType(accept);
    if (type === undefined) return detailAnswer(406, notAcceptable);
    const reason = `evidence of ${disputeId}`;
    const shown = await answers.packet({ merchantId, disputeId, actor: 'merchant', reason });
    if (shown.kind === 'not_found') return notFound;
    if (shown.kind === 'no_amount') return detailAnswer(409, noAmountWords);
    const { packet } = shown;
    const headers = evidenceHeaders(packet, type);
    if (matchesTag(ifNoneMatch, headers.etag)) return { status: 304, body: '', headers };
    if (type === 'application/json') return { ...jsonAnswer(200, evidenceJson(packet)), headers };
    return { status: 200, body: '', bytes: await answers.pdf(packet), headers };
  },
};
