import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { found } from '../merchants/find-merchant.ts';
import { mustBeHere } from '../merchants/refuse-moved.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { mustSee } from '../session/permit.ts';
import { refusals } from '../shapes.ts';
import { termsFields, whatIfJson, whatIfShape } from './what-if-shape.ts';

const body = Type.Object(termsFields, {
  additionalProperties: false,
  examples: [
    {
      merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
      policy: 'learned',
      window_days: 14,
      max_attempts: 4,
    },
  ],
});

/** POST /api/what-ifs */
export const requestWhatIf = defineEndpoint({
  method: 'POST',
  path: '/api/what-ifs',
  needs: { role: 'operator', reach: 'own' },
  docs: {
    id: 'requestWhatIf',
    tag: 'Models',
    summary: 'Test a window, tries and policy on past charges',
    description:
      'A worker tests it on the merchant’s own charges, in minutes where there are many; GET ' +
      '/api/what-ifs says how far it is. The same terms again replace the result; asked for while ' +
      'it is under way, it goes on. Nothing is charged or changed. It stands in the audit log.',
  },
  schema: { body },
  answers: { 202: whatIfShape, ...refusals(400, 404, 409) },
  async answer({ body }, deps: OperatorContext) {
    mustSee(deps.caller, body.merchant_id);
    await mustBeHere(deps, body.merchant_id);
    const { merchant_id, policy, window_days, max_attempts } = body;
    const whatIf = await deps.api.requestWhatIf({
      merchantId: merchant_id,
      policy,
      windowDays: window_days,
      maxAttempts: max_attempts,
    });
    return contentAnswer(whatIfJson(found(whatIf)), 202);
  },
});
