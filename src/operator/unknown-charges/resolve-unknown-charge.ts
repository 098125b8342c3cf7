import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { paymentStates } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, idField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { SeenResult } from '../../recovery/engine/resolve-by-hand.ts';
import { InvalidRequest } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, messageField, refusals } from '../shapes.ts';

const path = Type.Object({
  id: merchantIdField,
  idempotency_key: idField('The key that the charge was sent with.'),
});

const body = Type.Object(
  {
    result: enumField(
      ['succeeded', 'declined', 'not_made'],
      'What the processor shows. `not_made` leads to another charge: be certain of it.',
    ),
    psp_transaction_id: Type.Optional(
      idField("The charge's id at the processor; required for succeeded."),
    ),
    reason: messageField('Who saw it where; kept with the charge.', limits.messageLength),
  },
  {
    additionalProperties: false,
    examples: [
      {
        result: 'succeeded',
        psp_transaction_id: '8515131751004933',
        reason: 'seen in the Customer Area by K. Ito',
      },
    ],
  },
);

const shape = Type.Object(
  { status: enumField(paymentStates, "The payment's state now.") },
  { description: 'The charge is resolved.', examples: [{ status: 'recovered' }] },
);

type Body = Type.Static<typeof body>;

/** POST /api/merchants/{id}/unknown-charges/{idempotency_key}/settle */
export const resolveUnknownCharge = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/unknown-charges/{idempotency_key}/settle',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'settleUnknownCharge',
    tag: 'Unknown charges',
    summary: 'Resolve a charge by what you saw at the processor',
    description: 'Only a charge that is still unknown; your answer is kept with your reason.',
  },
  schema: { path, body },
  answers: { 200: shape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { id: merchantId, idempotency_key: idempotencyKey } = path;
    const { reason } = body;
    const seen = seenResult(body);
    const input = { merchantId, idempotencyKey, seen, reason };
    const outcome = await deps.api.resolveUnknownCharge(input);
    switch (outcome.kind) {
      case 'resolved':
        return contentAnswer({ status: outcome.status });
      case 'refused':
        throw new AppError('conflict', outcome.because);
      case 'not_found':
        throw new AppError('not_found', 'The merchant has no charge with this key.');
    }
  },
});

function seenResult({ result, psp_transaction_id: pspTransactionId }: Body): SeenResult {
  if (result === 'not_made') return { kind: 'not_made' };
  if (result === 'declined') {
    return { kind: 'declined', ...present({ pspTransactionId }) };
  }
  if (pspTransactionId !== undefined) return { kind: 'succeeded', pspTransactionId };
  throw new InvalidRequest([{ at: 'psp_transaction_id', text: 'Field required for succeeded' }]);
}
