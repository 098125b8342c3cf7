import { expect, it } from 'vitest';
import { lookUpAtOf } from '../../../src/disputes/submission/resolve-submission.ts';
import { submissionStates } from '../../../src/disputes/submission/submission-ports.ts';

it.each(submissionStates)(
  'a submission that is %s is looked up where it may have been sent on',
  (state) => {
    const at = new Date('2026-03-01T12:00:00Z');
    const due = lookUpAtOf({ inFlightMs: 40_000 }, state, at);
    const mayBeSent = state === 'submitting' || state === 'unknown';
    expect(due).toEqual(mayBeSent ? new Date('2026-03-01T12:00:40Z') : undefined);
  },
);
