import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { weights } from '../../endpoint/weights.ts';
import { jsonAnswer } from '../../server/answer.ts';
import type { RecoveryContext } from '../caller.ts';
import { cursorField, limitField, nextCursorField, pageSize } from '../paging.ts';
import { statementExample } from './statement-example.ts';
import { statementSchema } from './statement-schema.ts';

const querySchema = Type.Object({
  cursor: cursorField('Only statements after this one: a next_cursor, or a day that you have.'),
  limit: limitField,
});

/** GET /recover/statements: the statements, the oldest first. */
export const listStatements = defineEndpoint({
  method: 'GET',
  path: '/recover/statements',
  scope: 'read',
  weight: weights.page,
  docs: {
    id: 'listStatements',
    tag: 'Statements',
    summary: 'List statements in the order of their days',
    description:
      'Every daily statement, whole, so that a page can be verified as it is. To ask for what is ' +
      'new, send the day of the last statement that you have as cursor.',
  },
  schema: { query: querySchema },
  answers: {
    200: {
      description: 'One page; without next_cursor it is the last for now.',
      schema: Type.Object({
        statements: Type.Array(statementSchema),
        next_cursor: nextCursorField,
      }),
      example: { statements: [statementExample], next_cursor: '2026-06-06' },
    },
  },
  async answer({ query }, { api, caller }: RecoveryContext) {
    const { cursor } = query;
    const of = { merchantId: caller.merchantId, limit: pageSize(query.limit) };
    const page = await api.listStatements(cursor === undefined ? of : { ...of, cursor });
    return jsonAnswer(200, { statements: page.items, next_cursor: page.nextCursor });
  },
});
