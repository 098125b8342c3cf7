import { present } from '../../domain/present.ts';
import { primaryEndpointId } from '../../domain/webhooks/webhook-endpoint.ts';
import type { ActionLog } from '../../recovery/admin/ports.ts';
import { sendTest } from '../../recovery/admin/test-endpoint.ts';
import type { EndpointKey, EndpointsApi } from '../../recovery/endpoints/endpoint-ports.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
} from '../../recovery/endpoints/manage-endpoints.ts';
import { pauseEndpoint, resumeEndpoint } from '../../recovery/endpoints/pause-endpoint.ts';
import type { AppContext } from '../context.ts';
import type { Engine } from '../engine.ts';
import type { MerchantModule } from '../merchant-module.ts';

/** A merchant's further endpoints, and pauses of all of them. */
export function createEndpointsApi(
  { clock, random }: Pick<AppContext, 'clock' | 'random'>,
  parts: {
    readonly merchants: MerchantModule;
    readonly engine: Pick<Engine, 'deps'>;
    readonly actions: ActionLog;
  },
): EndpointsApi {
  const { merchants, engine, actions } = parts;
  const { endpointStore: store, endpoints, directory, checkUrl } = merchants;
  const { merchantClient, wake } = engine.deps;
  const forget = (key: EndpointKey): void => {
    endpoints.forget(key);
    // It knows whether there are further endpoints, and whether its own address is paused.
    directory.forget(key.merchantId);
  };
  const manage = { store, clock, random, checkMerchantUrl: checkUrl, forget };
  const pausing = { store, clock, wake, forget };
  return {
    createEndpoint: (input) => createEndpoint(manage, input),
    changeEndpoint: (key, change) => changeEndpoint(manage, key, change),
    removeEndpoint: (key) => removeEndpoint(manage, key),
    rotateEndpointSecret: (key, overlapMs) => rotateEndpointSecret(manage, key, overlapMs),
    pauseEndpoint: (key) => pauseEndpoint(pausing, key),
    resumeEndpoint: (key) => resumeEndpoint(pausing, key),
    async testFurtherEndpoint(key) {
      const found = await endpoints.findEndpoint(key);
      if (found === undefined || key.endpointId === primaryEndpointId) return undefined;
      const { endpoint, secrets } = found;
      const sentAt = clock.now();
      const { headers } = secrets;
      const tested = await sendTest(
        { merchantClient, random },
        { url: endpoint.url, headers, secrets, sentAt },
      );
      const detail = present({ endpoint_id: key.endpointId, result: tested.result });
      await actions.noteAction({
        merchantId: key.merchantId,
        audit: { action: 'endpoint.tested', detail, at: sentAt },
      });
      return { endpoint: 'webhook', sentAt, ...tested };
    },
  };
}
