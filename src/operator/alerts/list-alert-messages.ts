import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { messageStates, type SentMessage } from '../../recovery/alerts/alert-ports.ts';
import { listAlertMessages as readMessages } from '../../store/alerts/list-alert-messages.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import {
  merchantIdField,
  ourIdField,
  pageJson,
  pageOf,
  pageQuery,
  pageShape,
  refusals,
} from '../shapes.ts';
import { alertKindField } from './alert-shapes.ts';

const stateField = enumField(
  messageStates,
  '`pending` waits for its next try; `given_up` was not accepted for a day.',
);

const query = Type.Object(
  {
    channel_id: Type.Optional(ourIdField('Only messages to this channel.')),
    state: Type.Optional(enumField(messageStates, 'Only those in this state.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

const itemShape = Type.Object(
  {
    key: Type.String({ description: 'The same for as long as it lasts.' }),
    kind: alertKindField,
    state: enumField(['firing', 'resolved', 'test'] as const, '`resolved`: it has ended.'),
    count: Type.Integer(),
    title: Type.String(),
    detail: Type.String(),
    merchant_id: Type.Optional(merchantIdField),
  },
  { title: 'ToldAlert' },
);

export const messageShape = Type.Object(
  {
    id: Type.String({ description: 'As the message itself names it.' }),
    channel_id: Type.String(),
    state: stateField,
    tries: Type.Integer({ description: 'Sends so far.' }),
    created_at: timeField('When it was decided to send it, in real time.'),
    next_try_at: Type.Optional(timeField('While it is pending.')),
    ended_at: Type.Optional(timeField('When it was accepted or given up.')),
    last_error: Type.Optional(
      Type.String({ description: 'Why it was not accepted the last time.' }),
    ),
    alerts: Type.Array(itemShape),
  },
  {
    title: 'AlertMessage',
    description: 'A message to a channel.',
    examples: [
      {
        id: 'alm_6m1c8n4t6r0b2k5h2j7q0x9w',
        channel_id: 'alc_6m1c8n4t6r0b2k5h2j7q0x9w',
        state: 'sent',
        tries: 1,
        created_at: '2026-03-01T09:31:00.000Z',
        ended_at: '2026-03-01T09:31:00.420Z',
        alerts: [
          {
            key: 'incidents/mer_3v5kq0m2w8x1c7n4t6r9b2h1',
            kind: 'incidents',
            state: 'firing',
            count: 1,
            title: 'Acme: 1 incident',
            detail: 'the processor’s record differs from ours; the invoices are frozen',
            merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
          },
        ],
      },
    ],
  },
);

/** GET /api/alert-messages */
export const listAlertMessages = defineEndpoint({
  method: 'GET',
  path: '/api/alert-messages',
  needs: { role: 'viewer', reach: 'all' },
  docs: {
    id: 'listAlertMessages',
    tag: 'Alerts',
    summary: 'List what was sent',
    description: 'Newest first; kept for ninety days. Includes tests of channels.',
  },
  schema: { query },
  answers: { 200: pageShape(messageShape, 'A page of messages.'), ...refusals(400) },
  async answer({ query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { channel_id: channelId, state } = query;
    const page = await readMessages(db, { ...present({ channelId, state }), ...pageOf(query) });
    return contentAnswer(pageJson(page, messageJson));
  },
});

function messageJson(message: SentMessage): Type.Static<typeof messageShape> {
  return present({
    id: message.messageId,
    channel_id: message.channelId,
    state: message.state,
    tries: message.tries,
    created_at: message.createdAt.toISOString(),
    next_try_at: message.nextTryAt?.toISOString(),
    ended_at: message.endedAt?.toISOString(),
    last_error: message.lastError,
    alerts: message.items.map(({ key, kind, state, count, title, detail, merchantId }) =>
      present({ key, kind, state, count, title, detail, merchant_id: merchantId }),
    ),
  });
}
