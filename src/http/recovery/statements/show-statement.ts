import { Type } from 'typebox';
import { canonicalJson, type JsonValue } from '../../../domain/json/canonical-json.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { messageDocs } from '../message-docs.ts';
import { pathId } from '../path-id.ts';
import { statementExample } from './statement-example.ts';
import { statementSchema } from './statement-schema.ts';

/** GET /recover/statements/{day}: the statement of one day. */
export const showStatement = defineEndpoint({
  method: 'GET',
  path: '/recover/statements/{day}',
  scope: 'read',
  docs: {
    id: 'showStatement',
    tag: 'Statements',
    summary: "Get a day's statement",
    description:
      'What happened on a UTC day, made within hours of its end and never changed. Each carries the ' +
      'hash of the one before, so that a change of any of them shows. The answer is canonical JSON.',
  },
  schema: { path: Type.Object({ day: Type.String({ description: '`YYYY-MM-DD`.' }) }) },
  answers: {
    200: { description: 'The statement.', schema: statementSchema, example: statementExample },
    404: messageDocs('There is no statement of this day.', 'Statement not found.'),
  },
  async answer({ path }, { api, caller }: RecoveryContext) {
    const day = pathId(path.day);
    const statement = day && (await api.findStatement({ merchantId: caller.merchantId, day }));
    return statement
      ? { status: 200, body: canonicalJson(statement as JsonValue) }
      : notFound('Statement');
  },
});
