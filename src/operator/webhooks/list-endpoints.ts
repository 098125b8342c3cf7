import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { EndpointHealth } from '../../recovery/reports/webhooks.ts';
import { readEndpointHealth } from '../../store/reports/endpoint-health.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { answerTimesShape } from './endpoint-shape.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField) },
  { additionalProperties: false },
);

const endpointShape = Type.Object(
  {
    merchant_id: Type.String(),
    merchant_name: Type.String(),
    endpoint_id: Type.String({ description: "primary: the merchant's own webhook address." }),
    webhook_url: Type.String(),
    state: enumField(
      ['healthy', 'failing', 'idle', 'paused'],
      'failing: something was sent and not taken. paused: nothing is sent until it is resumed.',
    ),
    paused_at: Type.Optional(timeField('Since when nothing is sent.')),
    waiting: Type.Integer({ description: 'Sent and not accepted so far; counted up to 1000.' }),
    failing_since: Type.Optional(timeField('When the oldest of them was sent first.')),
    last_error: Type.Optional(Type.String()),
    exhausted: Type.Integer({ description: 'Given up in 14 days; counted up to 1000.' }),
    last_delivered_at: Type.Optional(timeField('When the latest was taken.')),
    duration_ms: Type.Optional(answerTimesShape('Of the latest 50 that were accepted.')),
  },
  {
    title: 'EndpointHealth',
    examples: [
      {
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        merchant_name: 'Acme',
        endpoint_id: 'primary',
        webhook_url: 'https://billing.acme.example/webhooks/retry-results',
        state: 'failing',
        waiting: 2,
        failing_since: '2026-03-08T08:12:00.000Z',
        last_error: 'The server answered 500.',
        exhausted: 0,
        last_delivered_at: '2026-03-08T08:03:00.000Z',
        duration_ms: { median: 84, p95: 210 },
      },
    ],
  },
);

/** GET /api/endpoints */
export const listEndpoints = defineEndpoint({
  method: 'GET',
  path: '/api/endpoints',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listEndpoints',
    tag: 'Deliveries',
    summary: 'Show how the webhook endpoints do',
    description: 'At most 200, the failing ones first.',
  },
  schema: { query },
  answers: {
    200: Type.Object(
      { items: Type.Array(endpointShape) },
      { description: 'The endpoints, those that fail first.' },
    ),
    ...refusals(400),
  },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'now' | 'caller'>) {
    const asked = { ...(await whoseHere(context.reports, context, query)), now: context.now() };
    const endpoints = await readEndpointHealth(context.reports, asked);
    return contentAnswer({ items: endpoints.map(endpointJson) });
  },
});

function endpointJson(health: EndpointHealth): Type.Static<typeof endpointShape> {
  return present({
    merchant_id: health.merchantId,
    merchant_name: health.merchantName,
    endpoint_id: health.endpointId,
    webhook_url: health.webhookUrl,
    state: health.state,
    paused_at: health.pausedAt?.toISOString(),
    waiting: health.waiting,
    failing_since: health.failingSince?.toISOString(),
    last_error: health.lastError,
    exhausted: health.exhausted,
    last_delivered_at: health.lastDeliveredAt?.toISOString(),
    duration_ms: health.durationMs,
  });
}
