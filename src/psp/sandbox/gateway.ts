import type { PspGateway } from '../../recovery/psp-ports.ts';
import { notOffered } from '../not-offered.ts';
import { withoutCardCode } from '../without-card-code.ts';
import { sandboxCapabilities } from './capabilities.ts';
import type { SandboxClient } from './client.ts';
import { listSandboxCharges } from './list-charges.ts';
import { chargeBody, chargeResult, credentialsResult, lookUpResult } from './map.ts';
import { refundSandbox } from './refund.ts';
import { readSandboxWebhook } from './webhook.ts';

/** Charges through the sandbox PSP. */
export function createSandboxGateway(client: SandboxClient): PspGateway {
  return {
    ...notOffered,
    refund: (request) => refundSandbox(client, request),
    listCharges: (request) => listSandboxCharges(client, request),
    capabilities: sandboxCapabilities,
    identity: { accountId: 'sandbox', mode: 'sandbox' },
    async charge(request) {
      const sent = await client.postCharge(request.idempotencyKey, chargeBody(request));
      return withoutCardCode(chargeResult(sent, request.idempotencyKey), request.token?.cardCode);
    },
    async lookUp(request) {
      const sent = await client.findByKey(request.merchantId, request.idempotencyKey);
      return lookUpResult(sent, request);
    },
    // The sandbox has no disputes of its own.
    lookUpDispute: async () => ({ kind: 'nothing' }),
    // Any key shows whether the sandbox is there and takes our secret.
    checkCredentials: async () => credentialsResult(await client.findByKey('mer_check', 'check')),
    readWebhook: async () => readSandboxWebhook(),
  };
}
