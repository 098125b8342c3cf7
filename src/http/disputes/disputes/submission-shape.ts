import { Type } from 'typebox';
import { obstacleMessage } from '../../../disputes/submission/find-obstacle.ts';
import {
  type Submission,
  submissionStates,
} from '../../../disputes/submission/submission-ports.ts';
import type { SubmitOutcome } from '../../../disputes/submission/submit-evidence.ts';
import { type DisputeCourse, isAskedAgain } from '../../../domain/disputes/asked-again.ts';
import { disputeStages } from '../../../domain/disputes/normalise/dispute-state.ts';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { enumField, timeField } from '../../fields.ts';

/** The answer to one stage of a dispute. */
export const submissionShape = Type.Object(
  {
    state: enumField(
      submissionStates,
      '`staged` lies at the PSP and was not sent on; of `unknown` the PSP did not answer.',
    ),
    stage: enumField(disputeStages, 'What was answered: each stage has one answer.'),
    psp: enumField(psps, 'Where.'),
    content_hash: Type.String({ description: 'Of the packet that was staged last.' }),
    reason: Type.Optional(Type.String({ description: 'Why it failed, or is unknown.' })),
    updated_at: timeField('Since when.'),
    submitted_at: Type.Optional(timeField('When it was sent on, or found to be.')),
    is_asked_again: Type.Optional(
      Type.Boolean({
        description: 'True where the PSP asks for another answer to the same stage: submit again.',
      }),
    ),
  },
  { title: 'Submission' },
);

export const submissionExample = {
  state: 'submitted' as const,
  stage: 'chargeback' as const,
  psp: 'stripe' as const,
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  updated_at: '2026-06-10T10:00:00.000Z',
  submitted_at: '2026-06-10T10:00:00.000Z',
};

export function submissionJson(
  one: Submission,
  dispute?: DisputeCourse,
): Type.Static<typeof submissionShape> {
  const isAsked = dispute !== undefined && isOfPresent(one, dispute);
  return present({
    state: one.state,
    stage: one.stage,
    psp: one.psp,
    content_hash: one.contentHash,
    reason: one.reason,
    updated_at: one.updatedAt.toISOString(),
    submitted_at: one.submittedAt?.toISOString(),
    is_asked_again: isAsked && isAskedAgain(dispute, one.submittedAt) ? true : undefined,
  });
}

function isOfPresent({ stage }: Submission, { state }: DisputeCourse): boolean {
  return state.kind === 'dispute' && state.stage === stage;
}

/** What both APIs make of a submission: an answer, or the words of a refusal. */
export type SubmitAnswer =
  | { readonly status: 200 | 202; readonly submission: Type.Static<typeof submissionShape> }
  | { readonly status: 404 }
  | {
      readonly status: 409;
      readonly code: 'conflict' | 'evidence_incomplete';
      readonly message: string;
    }
  | { readonly status: 502; readonly message: string };

export function submitAnswer(outcome: SubmitOutcome): SubmitAnswer {
  switch (outcome.kind) {
    case 'done':
      return { status: 200, submission: submissionJson(outcome.submission) };
    case 'pending':
      return { status: 202, submission: submissionJson(outcome.submission) };
    case 'failed':
      return { status: 502, message: `The PSP did not take it: ${outcome.submission.reason}` };
    case 'incomplete':
      return {
        status: 409,
        code: 'evidence_incomplete',
        message: outcome.submission.reason ?? 'It lacks a file.',
      };
    case 'refused':
      return { status: 409, code: 'conflict', message: obstacleMessage(outcome.obstacle) };
    case 'not_found':
      return { status: 404 };
  }
}
