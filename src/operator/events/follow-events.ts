import { Type } from 'typebox';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { shapedField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { followEvents as readEvents } from '../../store/reports/follow-events.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, pageQuery, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    after: Type.Optional(
      shapedField(
        'Only events after this one: the cursor from the previous answer. Without it: no events, only the cursor to begin with. Archived events are not in the log.',
        // Longer ones could look like the numbers of cards, which are masked.
        '^\\d{1,12}$',
        'a cursor from this list',
      ),
    ),
    limit: pageQuery.limit,
  },
  { additionalProperties: false },
);

export const followedShape = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        event_id: Type.String(),
        sequence: Type.String({ description: "Its number in the merchant's log." }),
        type: Type.String({ description: 'The X-Service-Webhook-Type of the webhook.' }),
        invoice_id: Type.Optional(
          Type.String({
            description: 'Absent for a card that is about to expire, which concerns no invoice.',
          }),
        ),
        created_at: timeField('When it was written.'),
        payload: Type.String({ description: "The webhook's body as it is sent, byte for byte." }),
      }),
    ),
    cursor: Type.String({ description: 'The cursor for the next call.' }),
  },
  {
    description: 'The oldest first.',
    examples: [
      {
        items: [
          {
            event_id: 'evt_7c1x5h2j9w3m0q8n4t6r2b1k',
            sequence: '42',
            type: 'end_of_dunning',
            invoice_id: 'in_1001',
            created_at: '2026-06-06T00:00:06.000Z',
            payload:
              '{"timestamp":"2026-06-06T00:00:06.000Z","invoice_id":"in_1001","recovered":true}',
          },
        ],
        cursor: '42',
      },
    ],
  },
);

/** GET /api/merchants/{id}/events */
export const followEvents = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/events',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'followEvents',
    tag: 'Deliveries',
    summary: "Follow a merchant's event log",
    description:
      'Used by recoup listen: call again with the cursor. Reading delivers nothing and marks nothing.',
  },
  schema: { path: merchantPath, query },
  answers: { 200: followedShape, ...refusals(400, 404) },
  async answer({ path, query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const { after, limit = limits.pageDefault } = query;
    const { items, cursor } = await readEvents(db, {
      merchantId,
      limit,
      ...present({ after }),
    });
    return contentAnswer({
      items: items.map((event) => ({
        event_id: event.eventId,
        sequence: event.sequence,
        type: event.type,
        ...present({ invoice_id: event.invoiceId }),
        created_at: event.createdAt.toISOString(),
        payload: event.payload,
      })),
      cursor,
    });
  },
});
