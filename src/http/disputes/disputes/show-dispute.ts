import { Type } from 'typebox';
import type { AnswersApi } from '../../../disputes/answers-api.ts';
import type { DisputeDetail } from '../../../disputes/dispute-ports.ts';
import {
  type Obstacle,
  obstacleKinds,
  obstacleMessage,
} from '../../../disputes/submission/find-obstacle.ts';
import { matchReasons } from '../../../domain/disputes/matching/match-score.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import {
  acceptanceJson,
  acceptanceShape,
  acceptObstacleJson,
  acceptObstacleShape,
} from './acceptance-shape.ts';
import { disputeExample, disputeFields, disputeJson, stateJson } from './dispute-shape.ts';
import { submissionExample, submissionJson, submissionShape } from './submission-shape.ts';
import { verdictExample, verdictJson, verdictShape } from './verdict-shape.ts';

const { kind, state, stage, status } = disputeFields;

/** What a single dispute shows beyond its line in a list. */
export const detailFields = {
  ...disputeFields,
  history: Type.Array(
    Type.Object(
      { kind, state, stage, status, occurred_at: timeField('By the PSP.') },
      { title: 'DisputeChange' },
    ),
    { description: 'Each change of the stage or the status, the first one first.' },
  ),
  matches: Type.Array(
    Type.Object(
      {
        analytics_id: Type.String(),
        score: Type.Integer({ description: '1 to 100; from 50 on it holds by itself.' }),
        reasons: Type.Array(enumField(matchReasons, 'What both have in common.')),
        is_inherited: Type.Boolean({ description: 'Whether it is of an earlier charge.' }),
      },
      { title: 'Match' },
    ),
    { description: 'Analytics records that have something in common with it, the best first.' },
  ),
  verdict: Type.Optional(verdictShape),
  submission: Type.Optional(submissionShape),
  acceptance: Type.Optional(acceptanceShape),
  obstacle: Type.Optional(
    Type.Object(
      {
        kind: enumField(obstacleKinds, 'What stands in the way.'),
        message: Type.String({ description: 'In a sentence, with what to do.' }),
      },
      {
        title: 'Obstacle',
        description: 'Why it cannot be answered through its PSP now; absent where it can.',
      },
    ),
  ),
  accept_obstacle: Type.Optional(acceptObstacleShape),
};

const shape = Type.Object(detailFields, { title: 'Dispute' });

export const detailExample = {
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
  verdict: verdictExample,
  submission: submissionExample,
};

/** GET /v1/disputes/{id} */
export const showDispute = defineEndpoint({
  method: 'GET',
  path: '/v1/disputes/{id}',
  scope: 'read',
  docs: {
    id: 'showDispute',
    tag: 'Disputes',
    summary: 'Show a dispute',
    description:
      'Its state, deadline and history, the analytics records that match it with reasons, the verdict on it and the answer that it was given.',
  },
  schema: { path: Type.Object({ id: disputeFields.id }) },
  answers: {
    200: {
      description: 'The dispute.',
      schema: shape,
      example: detailExample,
    },
    404: detailDocs('There is none with this id.', 'Not Found'),
  },
  async answer({ path }, { disputes, answers, merchantId, now }: DisputesContext) {
    const found = await disputes.show({ merchantId, disputeId: path.id });
    if (found === undefined) return notFound;
    return jsonAnswer(200, await detailJson(answers, { found, now, actor: 'merchant' }));
  },
});

/**
 * A dispute with its verdict, for which analytics records are opened, and the answer that it was
 * given.
 */
export async function detailJson(
  answers: AnswersApi,
  input: { readonly found: DisputeDetail; readonly now: Date; readonly actor: string },
) {
  const { found, now, actor } = input;
  const { merchantId, disputeId } = found;
  const reason = `verdict of ${disputeId}`;
  const shown = await answers.packet({ merchantId, disputeId, actor, reason });
  const answer = await answers.answer({ merchantId, disputeId });
  const noAmount: Obstacle | undefined = shown.kind === 'no_amount' ? shown : undefined;
  const obstacle = (await answers.obstacle(found)) ?? noAmount;
  const acceptObstacle = await answers.acceptObstacle(found);
  return {
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
    ...present({
      verdict: shown.kind === 'packet' ? verdictJson(shown.packet.content) : undefined,
      submission: answer?.kind === 'evidence' ? submissionJson(answer, found) : undefined,
      acceptance: answer?.kind === 'acceptance' ? acceptanceJson(answer) : undefined,
      obstacle: obstacle && { kind: obstacle.kind, message: obstacleMessage(obstacle) },
      accept_obstacle: acceptObstacle && acceptObstacleJson(acceptObstacle),
    }),
  };
}
