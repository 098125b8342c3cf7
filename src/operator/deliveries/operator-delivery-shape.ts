import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { timeField } from '../../http/fields.ts';
import { deliveryFields, deliveryJson } from '../../http/views/delivery-shape.ts';
import type { OperatorDelivery } from '../../recovery/reports/operator-views.ts';

const tryShape = Type.Object(
  {
    number: Type.Integer(),
    sent_at: timeField('When it was sent.'),
    status: Type.Optional(Type.Integer({ description: 'The status of the answer.' })),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
    duration_ms: Type.Integer(),
    answer: Type.Optional(
      Type.String({
        description:
          'If the answer did not acknowledge: the beginning of its body, with card numbers, e-mail addresses and credentials removed.',
      }),
    ),
  },
  { title: 'DeliveryTry' },
);

export const operatorDeliveryShape = Type.Object(
  {
    ...deliveryFields,
    endpoint_id: Type.Optional(Type.String({ description: 'Of a further endpoint.' })),
    invoice_id: Type.Optional(
      Type.String({
        description: 'Absent for a card that is about to expire, which concerns no invoice.',
      }),
    ),
    sequence: Type.Integer({ description: "The event's place in the merchant's event log." }),
    created_at: timeField('When the event was recorded.'),
    log: Type.Array(tryShape, { description: 'Every send.' }),
  },
  {
    title: 'LoggedDelivery',
    examples: [
      {
        event_id: 'evt_7c1x5h2j9w3m0q8n4t6r2b1k',
        type: 'retry_result',
        status: 'pending',
        tries: 1,
        next_attempt_at: '2026-03-01T21:30:00.000Z',
        last_status: 500,
        last_error: 'The server answered 500.',
        invoice_id: 'in_20931',
        sequence: 42,
        created_at: '2026-03-01T09:30:00.000Z',
        log: [
          {
            number: 1,
            sent_at: '2026-03-01T09:30:00.000Z',
            status: 500,
            duration_ms: 84,
            answer: '{"detail":"Server is unavailable"}',
          },
        ],
      },
    ],
  },
);

export function operatorDeliveryJson(
  delivery: OperatorDelivery,
): Type.Static<typeof operatorDeliveryShape> {
  return {
    ...deliveryJson(delivery),
    ...present({ endpoint_id: delivery.endpointId, invoice_id: delivery.invoiceId }),
    sequence: Number(delivery.sequence),
    created_at: delivery.createdAt.toISOString(),
    log: delivery.log.map((each) =>
      present({
        number: each.number,
        sent_at: each.sentAt.toISOString(),
        status: each.status,
        error: each.error,
        duration_ms: each.durationMs,
        answer: each.answer,
      }),
    ),
  };
}
