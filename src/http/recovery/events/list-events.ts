import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import type { EventView } from '../../../recovery/api.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { weights } from '../../endpoint/weights.ts';
import { objectField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { deliveryJson, deliveryShape } from '../../views/delivery-shape.ts';
import type { RecoveryContext } from '../caller.ts';
import { cursorField, limitField, nextCursorField, pageSize } from '../paging.ts';
import { eventExample } from './event-example.ts';

const querySchema = Type.Object({
  cursor: cursorField(
    'Only events after this one: a next_cursor, or the sequence of the last event that you have.',
  ),
  limit: limitField,
});

const eventSchema = Type.Object(
  {
    event_id: Type.String(),
    sequence: Type.String({ description: 'A number that rises without gaps, as text.' }),
    type: Type.String({ description: 'The X-Service-Webhook-Type of the webhook.' }),
    invoice_id: Type.Optional(
      Type.String({
        description: 'Absent for a card that is about to expire, which concerns no invoice.',
      }),
    ),
    created_at: timeField('When it happened.'),
    body: objectField("The webhook's body."),
    delivery: deliveryShape,
  },
  { title: 'Event' },
);

/** GET /recover/events: the event log, the oldest first. */
export const listEvents = defineEndpoint({
  method: 'GET',
  path: '/recover/events',
  scope: 'read',
  weight: weights.page,
  docs: {
    id: 'listEvents',
    tag: 'Events',
    summary: 'List events in their order',
    description:
      'Every event that was or will be sent to your webhook, for pulling. To ask for what is new, ' +
      'send the sequence of the last event that you have as cursor. The log begins after the events ' +
      'of payments that ended long ago: those are shown with their payment.',
  },
  schema: { query: querySchema },
  answers: {
    200: {
      description: 'One page; without next_cursor it is the last for now.',
      schema: Type.Object({ events: Type.Array(eventSchema), next_cursor: nextCursorField }),
      example: { events: [eventExample], next_cursor: '1' },
    },
  },
  async answer({ query }, { api, caller }: RecoveryContext) {
    const { cursor } = query;
    const of = { merchantId: caller.merchantId, limit: pageSize(query.limit) };
    const page = await api.listEvents(cursor === undefined ? of : { ...of, cursor });
    return jsonAnswer(200, { events: page.items.map(eventJson), next_cursor: page.nextCursor });
  },
});

/** The sequence goes as text: JSON numbers end at 2^53, and a cursor is text anyway. */
function eventJson(event: EventView): Type.Static<typeof eventSchema> {
  return {
    event_id: event.eventId,
    sequence: event.sequence.toString(),
    type: event.type,
    ...present({ invoice_id: event.invoiceId }),
    created_at: event.createdAt.toISOString(),
    body: event.body,
    delivery: deliveryJson(event.delivery),
  };
}
