import { Type } from 'typebox';
import { defineEndpoint } from '../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../server/answer.ts';

const alive = jsonAnswer(200, { status: 'OK' });

/** GET /: that the service answers, and that the credentials are right. */
export const ping = defineEndpoint({
  method: 'GET',
  path: '/',
  scope: 'any',
  docs: {
    id: 'ping',
    tag: 'Service',
    summary: 'Check the service and your credentials',
    description: 'Answers 200 when the service runs and the credentials are valid.',
  },
  answers: {
    200: {
      description: 'Both are in order.',
      schema: Type.Object({ status: Type.String({ default: 'OK' }) }),
      example: { status: 'OK' },
    },
  },
  answer: async () => alive,
});
