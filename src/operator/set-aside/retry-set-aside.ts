import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { mustBeHere } from '../merchants/refuse-moved.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { mustSee } from '../session/permit.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { kindField, workIdField } from './set-aside-shape.ts';

const body = Type.Object(
  { kind: kindField, merchant_id: merchantIdField, id: workIdField },
  {
    additionalProperties: false,
    examples: [{ kind: 'payment', merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', id: 'inv_1042' }],
  },
);

/** POST /api/set-aside/retry */
export const retrySetAside = defineEndpoint({
  method: 'POST',
  path: '/api/set-aside/retry',
  needs: { role: 'operator', reach: 'own' },
  docs: {
    id: 'retrySetAside',
    tag: 'Set aside',
    summary: 'Retry work that was set aside',
    description: 'It is due now, and its failures count from nothing.',
  },
  schema: { body },
  answers: {
    200: Type.Object(
      { retried: Type.Boolean() },
      { description: 'It is due.', examples: [{ retried: true }] },
    ),
    ...refusals(400, 404, 409),
  },
  async answer({ body }, deps: OperatorContext) {
    const { kind, merchant_id: merchantId, id } = body;
    mustSee(deps.caller, merchantId);
    await mustBeHere(deps, merchantId);
    if (await deps.api.retrySetAside({ kind, merchantId, id })) {
      return contentAnswer({ retried: true });
    }
    throw new AppError('not_found', 'No such work is set aside for this merchant.');
  },
});
