import { expect, test } from 'vitest';
import { isPastDue } from '../../../dashboard/src/parts/is-past-due.ts';

const now = new Date('2026-03-02T12:00:00Z');
const before = { respond_by: '2026-03-02T12:00:00Z' };

test.each([
  [{ state: 'needs_response', status: 'needs_response', ...before }, true],
  [{ state: 'pre_arbitration', status: 'needs_response', ...before }, true],
  [{ state: 'pre_arbitration', status: 'under_review', ...before }, false],
  [{ state: 'lost', status: 'lost', ...before }, false],
  [{ state: 'inquiry_open', ...before }, true],
  [{ state: 'won', ...before }, false],
  [{ state: 'needs_response', status: 'needs_response' }, false],
  [{ state: 'needs_response', respond_by: '2026-03-02T12:00:01Z' }, false],
] as const)('%j: %s', (dispute, isPast) => {
  expect(isPastDue(dispute, now)).toBe(isPast);
});
