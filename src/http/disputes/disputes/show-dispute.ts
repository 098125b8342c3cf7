import { Type } from 'typebox';
import { matchReasons } from '../../../domain/disputes/matching/match-score.ts';
import { timeField, wordField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import { detailDocs } from '../detail-docs.ts';
import type { WholeEndpoint } from '../endpoint.ts';
import { disputeExample, disputeFields, disputeJson, stateJson } from './dispute-shape.ts';

const { kind, state, stage, status } = disputeFields;

const shape = Type.Object({
  ...disputeFields,
  history: Type.Array(
    Type.Object({ kind, state, stage, status, occurred_at: timeField('By the PSP.') }),
    { description: 'Each change of the stage or the status, the first one first.' },
  ),
  matches: Type.Array(
    Type.Object({
      analytics_id: Type.String(),
      score: Type.Integer({ description: '1 to 100; from 50 on it holds by itself.' }),
      reasons: Type.Array(wordField(matchReasons, 'What both have in common.')),
      is_inherited: Type.Boolean({ description: 'Whether it is of an earlier charge.' }),
    }),
    { description: 'Captures that have something in common with it, the best first.' },
  ),
});

/** GET /v1/disputes/{id} */
export const showDispute: WholeEndpoint = {
  kind: 'whole',
  method: 'GET',
  paths: ['/v1/disputes/{id}'],
  operation: {
    operationId: 'showDispute',
    tag: 'Disputes',
    summary: 'Show a dispute',
    description: 'Its state, deadline and history, and the captures that match it with reasons.',
    path: Type.Object({ id: disputeFields.id }),
    answers: {
      200: {
        description: 'The dispute.',
        schema: shape,
        example: {
          ...disputeExample,
          history: [
            {
              kind: 'dispute',
              state: 'needs_response',
              stage: 'chargeback',
              status: 'needs_response',
              occurred_at: '2026-06-01T09:00:00.000Z',
            },
          ],
          matches: [
            {
              analytics_id: 'ana_4c1vbz7p0x9k2m5n8q3r6t0w',
              score: 100,
              reasons: ['charge', 'customer'],
              is_inherited: false,
            },
          ],
        },
      },
      404: detailDocs('There is none by this id.', 'Not Found'),
    },
  },
  async answer({ disputes, merchantId, path, now }) {
    const disputeId = path.id ?? '';
    // PostgreSQL keeps no NUL character: no dispute has one in its id.
    const found = disputeId.includes('\0')
      ? undefined
      : await disputes.show({ merchantId, disputeId });
    if (found === undefined) return notFound;
    return jsonAnswer(200, {
      ...disputeJson(found, now),
      history: found.changes.map((change) => ({
        ...stateJson(change.state),
        occurred_at: change.occurredAt.toISOString(),
      })),
      matches: found.matches.map((match) => ({
        analytics_id: match.analyticsId,
        score: match.score,
        reasons: [...match.reasons],
        is_inherited: match.isInherited,
      })),
    });
  },
};
