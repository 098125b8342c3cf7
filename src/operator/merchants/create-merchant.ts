import { Type } from 'typebox';
import { defaultPolicy } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { NewMerchant } from '../../recovery/operator-api.ts';
import { refuseFaults } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { pauseAfterDays } from '../webhooks/endpoint-shape.ts';
import {
  customerPageUrl,
  merchantFaults,
  type NewMerchantBody,
  newMerchantBody,
  pspConnection,
} from './merchant-body.ts';
import { merchantExample, merchantFields, merchantJson } from './merchant-shape.ts';
import { policyFrom } from './policy-body.ts';

const { id, ...settings } = merchantFields;

const createdShape = Type.Object(
  {
    id,
    recovery_api_key: Type.String({ description: 'For x-api-key of the recovery API.' }),
    disputes_username: Type.String({ description: 'For HTTP Basic of the disputes API.' }),
    disputes_password: Type.String(),
    signing_secret: Type.String({ description: 'The key of the webhook signatures.' }),
    ...settings,
  },
  {
    title: 'CreatedMerchant',
    description: 'The merchant, with secrets that only this answer shows.',
    examples: [
      {
        recovery_api_key: 'rk_live_2b7m…',
        disputes_username: merchantExample.id,
        disputes_password: 'dp_8k1x…',
        signing_secret: 'whsec_…',
        ...merchantExample,
      },
    ],
  },
);

/** POST /api/merchants */
export const createMerchant = defineEndpoint({
  method: 'POST',
  path: '/api/merchants',
  needs: { role: 'administrator', reach: 'all' },
  docs: {
    id: 'createMerchant',
    tag: 'Merchants',
    summary: 'Create a merchant',
    description: 'Answers with its first credentials, which cannot be read again: store them now.',
  },
  schema: { body: newMerchantBody },
  answers: { 201: createdShape, ...refusals(400, 409, 422) },
  async answer({ body }, deps: OperatorDeps) {
    const created = await deps.api.createMerchant(newMerchant(body));
    return contentAnswer(
      {
        recovery_api_key: created.recoveryApiKey,
        disputes_username: created.disputesUsername,
        disputes_password: created.disputesPassword,
        signing_secret: created.signingSecret,
        ...merchantJson(created.merchant, deps.disputesUrl),
      },
      201,
    );
  },
});

function newMerchant(body: NewMerchantBody): NewMerchant {
  const planned = policyFrom(body.policy ?? {}, defaultPolicy);
  refuseFaults([...merchantFaults(body), ...planned.faults]);
  return {
    name: body.name,
    retryStatusUrl: body.retry_status_url,
    webhookUrl: body.webhook_url,
    auth: body.auth ?? { type: 'none' },
    psps: body.psps.map(pspConnection),
    policy: planned.policy ?? defaultPolicy,
    ...present({ timeZone: body.time_zone }),
    endOfDunning: body.end_of_dunning ?? false,
    incidentEvents: body.incident_events ?? false,
    customerActionEvents: body.customer_action_events ?? false,
    customerPageUrl: customerPageUrl(body.customer_page_url ?? ''),
    webhookQuickSends: body.webhook_quick_sends ?? false,
    webhookPauseAfterDays: pauseAfterDays(body.webhook_pause_after_days ?? 0),
  };
}
