import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { customerMessageStates } from '../../recovery/messages/message-ports.ts';
import { type KeptMessage, listMessages } from '../../store/messages/list-messages.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';

const stateField = enumField(
  customerMessageStates,
  '`refused`: the mail server rejected the recipient. `given_up`: no server accepted it, or it was no longer to be sent.',
);

export const customerMessageShape = Type.Object(
  {
    id: Type.String({ description: 'As the message itself names it (X-Recoup-Message).' }),
    invoice_id: Type.Optional(Type.String({ description: 'The payment that it is about.' })),
    payment_method_id: Type.Optional(
      Type.String({ description: 'Or the card that expires before it is charged again.' }),
    ),
    number: Type.Integer({ description: 'Its number among the messages about its payment.' }),
    reason: Type.String(),
    language: Type.String(),
    state: stateField,
    tries: Type.Integer({ description: 'Sends that were started.' }),
    created_at: timeField('When it was recorded, before it was sent.'),
    ended_at: Type.Optional(timeField('When it was accepted, refused or given up.')),
    last_error: Type.Optional(
      Type.String({ description: 'Why it was not accepted the last time.' }),
    ),
  },
  {
    title: 'CustomerMessage',
    description: 'A message to a customer. The recipient is not shown.',
    examples: [
      {
        id: 'cmg_4c1vbz7p0x9k2m5n8q3r6t0w',
        invoice_id: 'in_1001',
        number: 1,
        reason: 'expired_card',
        language: 'en',
        state: 'sent',
        tries: 1,
        created_at: '2026-06-04T09:00:00.000Z',
        ended_at: '2026-06-04T09:00:00.420Z',
      },
    ],
  },
);

/** GET /api/merchants/{id}/customer-messages */
export const listCustomerMessages = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/customer-messages',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listCustomerMessages',
    tag: 'Messages',
    summary: 'List messages to customers',
    description: 'The newest first.',
  },
  schema: {
    path: merchantPath,
    query: Type.Object(
      {
        state: Type.Optional(enumField(customerMessageStates, 'Only those in this state.')),
        ...pageQuery,
      },
      { additionalProperties: false },
    ),
  },
  answers: {
    200: pageShape(customerMessageShape, 'A page of messages.'),
    ...refusals(400, 404),
  },
  async answer({ path, query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const { state } = query;
    const page = await listMessages(db, { merchantId, ...present({ state }), ...pageOf(query) });
    return contentAnswer(pageJson(page, messageJson));
  },
});

function messageJson(message: KeptMessage): Type.Static<typeof customerMessageShape> {
  return present({
    id: message.messageId,
    invoice_id: message.invoiceId,
    payment_method_id: message.paymentMethodId,
    number: message.number,
    reason: message.reason,
    language: message.language,
    state: message.state,
    tries: message.tries,
    created_at: message.createdAt.toISOString(),
    ended_at: message.endedAt?.toISOString(),
    last_error: message.lastError,
  });
}
