import { expect, it } from 'vitest';
import { AppError } from '../../../../src/domain/errors.ts';
import { submitAnswer } from '../../../../src/http/disputes/disputes/submission-shape.ts';
import { errorAnswer } from '../../../../src/operator/error-answer.ts';
import { submissionOf } from '../../../disputes/submission/submission-world.ts';

it('evidence that lacks a file is no failure of the PSP, and has a code of its own', () => {
  const submission = submissionOf({ state: 'failed', reason: 'it requires TIDorInvoice' });
  const answer = submitAnswer({ kind: 'incomplete', submission });
  expect(answer).toEqual({
    status: 409,
    code: 'evidence_incomplete',
    message: 'it requires TIDorInvoice',
  });
  expect(errorAnswer(new AppError('evidence_incomplete', 'it requires X')).status).toBe(409);
  expect(submitAnswer({ kind: 'failed', submission }).status).toBe(502);
});
