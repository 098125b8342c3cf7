import { AppError } from '../../domain/errors.ts';
import {
  evidenceAnswers,
  evidenceType,
  noAmountMessage,
  noFormMessage,
  packetAnswer,
} from '../../http/disputes/disputes/evidence-shape.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { disputePath, merchantOfDispute, noDispute } from './find-dispute.ts';

/** GET /api/disputes/{id}/evidence */
export const showEvidence = defineEndpoint({
  method: 'GET',
  path: '/api/disputes/{id}/evidence',
  needs: { role: 'disputes', reach: 'own' },
  docs: {
    id: 'showEvidence',
    tag: 'Dispute evidence',
    summary: "Show a dispute's evidence",
    description:
      'JSON, or with `Accept: application/pdf` a document for people. The ETag holds the content hash. Opening the analytics records for it is noted in the audit log.',
  },
  schema: { path: disputePath },
  answers: { ...evidenceAnswers, ...refusals(404, 406, 409) },
  async answer({ path, exchange }, deps: OperatorContext) {
    const { id: disputeId } = path;
    const merchantId = await merchantOfDispute(deps, path);
    const { accept, 'if-none-match': ifNoneMatch } = exchange.request.headers;
    const type = evidenceType(accept);
    if (type === undefined) throw new AppError('not_acceptable', noFormMessage);
    const reason = `evidence of ${disputeId}`;
    const shown = await deps.answers.packet({ merchantId, disputeId, actor: 'operator', reason });
    if (shown.kind === 'not_found') throw noDispute();
    if (shown.kind === 'no_amount') throw new AppError('conflict', noAmountMessage);
    return packetAnswer(deps.answers, { packet: shown.packet, type, ifNoneMatch });
  },
});
