import type { PspGateway } from '../../recovery/ports.ts';
import { withoutCardCode } from '../without-card-code.ts';
import { createSandboxClient, type SandboxClientOptions } from './client.ts';
import { chargeBody, chargeResult, lookUpResult } from './map.ts';

/** Charges through the sandbox PSP. `close` ends its connections; charges in flight are unknown. */
export function createSandboxGateway(
  options: SandboxClientOptions,
): PspGateway & { close(): Promise<void> } {
  const client = createSandboxClient(options);
  return {
    async charge(request) {
      const sent = await client.postCharge(request.idempotencyKey, chargeBody(request));
      return withoutCardCode(chargeResult(sent, request.idempotencyKey), request.token?.cardCode);
    },
    async lookUp(request) {
      const sent = await client.findByKey(request.merchantId, request.idempotencyKey);
      return lookUpResult(sent, request);
    },
    close: () => client.close(),
  };
}
