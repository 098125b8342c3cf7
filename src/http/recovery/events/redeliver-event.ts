import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { messageDocs } from '../message-docs.ts';
import { pathId } from '../path-id.ts';

const bodySchema = Type.Object({}, { description: 'May be left out.' });
const message = 'Redelivery queued';

/** POST /recover/events/{id}/redeliver. */
export const redeliverEvent = defineEndpoint({
  method: 'POST',
  path: '/recover/events/{id}/redeliver',
  scope: 'act',
  docs: {
    id: 'redeliverEvent',
    tag: 'Events',
    summary: 'Send an event again',
    description:
      'Sends the event to your webhook at once, with the same body and deduplication id, and as ' +
      'often as a new one if that fails.',
  },
  schema: {
    path: Type.Object({ id: Type.String({ description: "The event's event_id." }) }),
    body: bodySchema,
  },
  body: { isOptional: true, examples: { empty: {} } },
  answers: {
    200: {
      description: 'The event is about to be sent.',
      schema: Type.Object({
        message: Type.String({ default: message }),
        event_id: Type.String(),
      }),
      example: { message, event_id: 'evt_1h4vr3w6z9k2m5n8q1s4t7x0' },
    },
    404: messageDocs('You have no such event.', 'Event not found.'),
  },
  async answer({ path }, { api, caller }: RecoveryContext) {
    const eventId = pathId(path.id);
    if (eventId === undefined) return notFound('Event');
    const outcome = await api.redeliverEvent({ merchantId: caller.merchantId, eventId });
    return outcome.kind === 'queued'
      ? jsonAnswer(200, { message, event_id: eventId })
      : notFound('Event');
  },
});
