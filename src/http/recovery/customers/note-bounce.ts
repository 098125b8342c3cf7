import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField, textField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { messageDocs } from '../message-docs.ts';

const message = 'Nothing more is sent to this address';

/** POST /recover/message_bounces */
export const noteBounce = defineEndpoint({
  method: 'POST',
  path: '/recover/message_bounces',
  scope: 'intake',
  docs: {
    id: 'noteMessageBounce',
    tag: 'Customers',
    summary: 'Tell that a message to a customer came back',
    description:
      'For what a mail server learns after it took a message: that it cannot be delivered, or that the ' +
      'customer complained. Nothing more is sent to the address.',
  },
  schema: {
    body: Type.Object(
      {
        message: idField(
          "The message's id (X-Recoup-Message), or the address that it came back to, which has the id in it.",
        ),
        kind: enumField(['bounced', 'complained'], 'What came.'),
        detail: Type.Optional(textField('Why, such as a status code.', limits.idLength)),
      },
      { description: 'Which message, and what came of it.' },
    ),
  },
  body: {
    examples: {
      by_address: {
        message: 'bounces+cmg_4c1vbz7p0x9k2m5n8q3r6t0w@recoup.example.com',
        kind: 'bounced',
        detail: '5.1.1',
      },
    },
  },
  answers: {
    200: {
      description: 'It is kept.',
      schema: Type.Object({ message: Type.String({ default: message }) }),
      example: { message },
    },
    404: messageDocs('No such message was sent for you.', 'Message not found.'),
  },
  async answer({ body }, { api, caller }: RecoveryContext) {
    const { message: of, kind, detail } = body;
    const { merchantId } = caller;
    const isKnown = await api.noteBounce({ merchantId, of, kind, ...present({ detail }) });
    return isKnown ? jsonAnswer(200, { message }) : notFound('Message');
  },
});
