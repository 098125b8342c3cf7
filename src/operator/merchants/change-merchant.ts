import type { PolicySettings } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { MerchantChange } from '../../recovery/operator-api.ts';
import { refuseFaults } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { pauseAfterDays } from '../webhooks/endpoint-shape.ts';
import { findMerchant, found } from './find-merchant.ts';
import {
  customerPageUrl,
  type MerchantChangeBody,
  merchantChangeBody,
  merchantFaults,
  pspConnection,
} from './merchant-body.ts';
import { merchantJson, merchantShape } from './merchant-shape.ts';
import { policyFrom } from './policy-body.ts';

/** PATCH /api/merchants/{id} */
export const changeMerchant = defineEndpoint({
  method: 'PATCH',
  path: '/api/merchants/{id}',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'changeMerchant',
    tag: 'Merchants',
    summary: "Change a merchant's settings",
    description: 'Takes effect with the next plan, final check or delivery of each payment.',
  },
  schema: { path: merchantPath, body: merchantChangeBody },
  answers: { 200: merchantShape, ...refusals(400, 404, 409, 422) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { id } = path;
    const { policy } = await findMerchant(deps.db, id);
    const change = merchantChange(body, policy);
    const changed = found(await deps.api.changeMerchant(id, change, policy));
    return contentAnswer(merchantJson(changed, deps.disputesUrl));
  },
});

function merchantChange(body: MerchantChangeBody, standing: PolicySettings): MerchantChange {
  const planned = body.policy && policyFrom(body.policy, standing);
  refuseFaults([...merchantFaults(body), ...(planned?.faults ?? [])]);
  const { webhook_pause_after_days: days, customer_page_url: page } = body;
  return present({
    name: body.name,
    retryStatusUrl: body.retry_status_url,
    webhookUrl: body.webhook_url,
    auth: body.auth,
    psps: body.psps?.map(pspConnection),
    policy: planned?.policy,
    timeZone: body.time_zone,
    endOfDunning: body.end_of_dunning,
    incidentEvents: body.incident_events,
    customerActionEvents: body.customer_action_events,
    customerPageUrl: page === undefined ? undefined : customerPageUrl(page),
    webhookQuickSends: body.webhook_quick_sends,
    webhookPauseAfterDays: days === undefined ? undefined : pauseAfterDays(days),
  });
}
