import { Type } from 'typebox';
import type { AcceptOutcome } from '../../../disputes/acceptance/accept-dispute.ts';
import {
  type AcceptObstacle,
  acceptObstacleKinds,
  acceptObstacleMessage,
} from '../../../disputes/acceptance/find-accept-obstacle.ts';
import {
  type Acceptance,
  acceptanceStates,
} from '../../../disputes/submission/submission-ports.ts';
import { disputeStages } from '../../../domain/disputes/normalise/dispute-state.ts';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { enumField, timeField } from '../../fields.ts';

/** One stage of a dispute that is not contested. */
export const acceptanceShape = Type.Object(
  {
    state: enumField(
      acceptanceStates,
      '`accepted`: what is disputed is given away, for good. Of `unknown` the PSP did not answer.',
    ),
    stage: enumField(disputeStages, 'What is not contested: each stage has one answer.'),
    psp: enumField(psps, 'Where.'),
    reason: Type.Optional(Type.String({ description: 'Why it failed, or is unknown.' })),
    updated_at: timeField('Since when.'),
  },
  { title: 'DisputeAcceptance' },
);

export const acceptObstacleShape = Type.Object(
  {
    kind: enumField(acceptObstacleKinds, 'What stands in the way.'),
    message: Type.String({ description: 'In a sentence, with what to do.' }),
  },
  {
    title: 'AcceptObstacle',
    description: 'Why it cannot be accepted through its PSP now; absent where it can.',
  },
);

export const acceptanceExample = {
  state: 'accepted' as const,
  stage: 'chargeback' as const,
  psp: 'stripe' as const,
  updated_at: '2026-06-10T10:00:00.000Z',
};

export function acceptanceJson(one: Acceptance): Type.Static<typeof acceptanceShape> {
  return present({
    state: one.state,
    stage: one.stage,
    psp: one.psp,
    reason: one.reason,
    updated_at: one.updatedAt.toISOString(),
  });
}

export function acceptObstacleJson(
  obstacle: AcceptObstacle,
): Type.Static<typeof acceptObstacleShape> {
  return { kind: obstacle.kind, message: acceptObstacleMessage(obstacle) };
}

/** What both APIs make of an acceptance: an answer, or the words of a refusal. */
export type AcceptAnswer =
  | { readonly status: 200 | 202; readonly acceptance: Type.Static<typeof acceptanceShape> }
  | { readonly status: 404 }
  | { readonly status: 409; readonly message: string }
  | { readonly status: 502; readonly message: string };

export function acceptAnswer(outcome: AcceptOutcome): AcceptAnswer {
  switch (outcome.kind) {
    case 'done':
      return { status: 200, acceptance: acceptanceJson(outcome.acceptance) };
    case 'pending':
      return { status: 202, acceptance: acceptanceJson(outcome.acceptance) };
    case 'failed':
      return { status: 502, message: `It was not accepted: ${outcome.acceptance.reason}` };
    case 'refused':
      return { status: 409, message: acceptObstacleMessage(outcome.obstacle) };
    case 'not_found':
      return { status: 404 };
  }
}
