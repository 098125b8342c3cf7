import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { deliveryStates } from '../../domain/states.ts';
import type { DeliveryView } from '../../recovery/api.ts';
import { enumField, timeField } from '../fields.ts';

/** One event on its way to the merchant's webhook, as both APIs show it. */
export const deliveryFields = {
  event_id: Type.String(),
  type: Type.String({ description: 'The kind of event.', examples: ['retry_result'] }),
  status: enumField(deliveryStates, 'exhausted: given up after the last redelivery.'),
  tries: Type.Integer({ description: 'Sends so far.' }),
  next_attempt_at: Type.Optional(timeField('When it is sent next.')),
  delivered_at: Type.Optional(timeField('When the merchant acknowledged it.')),
  last_status: Type.Optional(Type.Integer({ description: 'The status of the last answer.' })),
  last_error: Type.Optional(Type.String({ description: 'Why the last send failed.' })),
};

export const deliveryShape = Type.Object(deliveryFields, { title: 'Delivery' });

export function deliveryJson(delivery: DeliveryView): Type.Static<typeof deliveryShape> {
  return present({
    event_id: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    tries: delivery.tries,
    next_attempt_at: delivery.nextAttemptAt?.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString(),
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
  });
}
