import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { deliveryPath, endpointQuery, furtherEndpoint, noSuchDelivery } from './delivery-path.ts';

const queuedShape = Type.Object(
  { status: Type.String({ const: 'queued' }) },
  { description: 'It is sent as soon as a worker is free.', examples: [{ status: 'queued' }] },
);

/** POST /api/merchants/{id}/deliveries/{event_id}/replay */
export const replayDelivery = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/deliveries/{event_id}/replay',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'replayDelivery',
    tag: 'Deliveries',
    summary: 'Send one event again',
    description:
      'Regardless of earlier results. Body and deduplication id stay the same, so the merchant may have seen it before; failures are redelivered for another 7 days.',
  },
  schema: { path: deliveryPath, query: endpointQuery },
  answers: { 202: queuedShape, ...refusals(404) },
  async answer({ path, query }, deps: OperatorDeps) {
    const { id: merchantId, event_id: eventId } = path;
    const endpointId = furtherEndpoint(query.endpoint_id);
    const key = { merchantId, eventId, ...present({ endpointId }) };
    const outcome = await deps.api.replayDelivery(key);
    if (outcome === undefined || outcome.kind === 'not_found') throw noSuchDelivery(endpointId);
    return contentAnswer({ status: 'queued' }, 202);
  },
});
