import { Type } from 'typebox';
import { sentMessage } from '../../disputes/added/is-sent.ts';
import { AppError } from '../../domain/errors.ts';
import { rebuttalField } from '../../http/disputes/disputes/rebuttal-shape.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../http/server/answer.ts';
import { InvalidRequest } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { merchantDisputePath } from './dispute-of-merchant.ts';
import { noDispute } from './find-dispute.ts';

const body = Type.Object(
  { text: rebuttalField },
  {
    additionalProperties: false,
    examples: [{ text: 'The customer signed in on 3 June and used the service.' }],
  },
);

/** PUT /api/merchants/{id}/disputes/{dispute_id}/rebuttal */
export const writeRebuttal = defineEndpoint({
  method: 'PUT',
  path: '/api/merchants/{id}/disputes/{dispute_id}/rebuttal',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'writeRebuttal',
    tag: 'Dispute evidence',
    summary: "Write a dispute's rebuttal",
    description:
      'A letter to the issuer of at most 20,000 characters, 400 lines and 64 KiB. It is stored encrypted, is part of the packet and goes to the PSP in full; it cannot be changed once the evidence was sent. An empty text removes it.',
  },
  schema: { path: merchantDisputePath, body },
  answers: { 204: Type.Null({ description: 'It is kept.' }), ...refusals(400, 404, 409, 413) },
  async answer({ path, body }, deps: Pick<OperatorDeps, 'answers'>) {
    const { id: merchantId, dispute_id: disputeId } = path;
    const input = { merchantId, disputeId, text: body.text, actor: 'operator' };
    const outcome = await deps.answers.writeRebuttal(input);
    switch (outcome.kind) {
      case 'kept':
        return noContent;
      case 'not_found':
        throw noDispute();
      case 'sent':
        throw new AppError('conflict', sentMessage);
      case 'invalid':
        throw new InvalidRequest([{ at: 'text', text: outcome.why }]);
    }
  },
});
