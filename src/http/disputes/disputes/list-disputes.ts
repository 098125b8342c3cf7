import { Type } from 'typebox';
import {
  disputeStages,
  disputeStatuses,
} from '../../../domain/disputes/normalise/dispute-state.ts';
import { AppError } from '../../../domain/errors.ts';
import { limits } from '../../../domain/limits.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { weights } from '../../endpoint/weights.ts';
import { enumField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import type { DisputesContext } from '../caller.ts';
import { validationAnswer, validationDocs } from '../validation-answer.ts';
import { disputeExample, disputeJson, disputeSummaryShape } from './dispute-shape.ts';
import { faultItem } from './fault-item.ts';

const listQuery = Type.Object({
  status: Type.Optional(enumField(disputeStatuses, 'Only those of this status.')),
  stage: Type.Optional(enumField(disputeStages, 'Only those of this stage.')),
  due_before: Type.Optional(timeField('Only those whose answer is due before.')),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The next_cursor of the page before.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageDefault }),
  ),
});

/** GET /v1/disputes */
export const listDisputes = defineEndpoint({
  method: 'GET',
  path: '/v1/disputes',
  scope: 'read',
  weight: weights.page,
  docs: {
    id: 'listDisputes',
    tag: 'Disputes',
    summary: 'List disputes and fraud warnings',
    description: 'The newest first.',
  },
  schema: { query: listQuery },
  answers: {
    200: {
      description: 'One page of them.',
      schema: Type.Object({
        items: Type.Array(disputeSummaryShape),
        next_cursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
      }),
      example: { items: [disputeExample] },
    },
    422: validationDocs,
  },
  async answer({ query }, { disputes, merchantId, now }: DisputesContext) {
    const { status, stage, cursor, limit = limits.pageDefault, due_before: due } = query;
    const dueBefore = due === undefined ? undefined : new Date(due);
    try {
      const filter = present({ status, stage, dueBefore, cursor });
      const page = await disputes.list({ merchantId, limit, ...filter });
      return jsonAnswer(
        200,
        present({
          items: page.items.map((item) => disputeJson(item, now)),
          next_cursor: page.nextCursor,
        }),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      return validationAnswer([faultItem('query', { at: 'cursor', text: error.detail })]);
    }
  },
});
