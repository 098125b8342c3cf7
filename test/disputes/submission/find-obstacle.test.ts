import { expect, it } from 'vitest';
import { findObstacle, obstacleMessage } from '../../../src/disputes/submission/find-obstacle.ts';
import { disputeDetail } from '../evidence/evidence-records.ts';
import { now, submissionWorld } from './submission-world.ts';

const { api } = submissionWorld({});
const open = disputeDetail();

it('an open dispute can be answered up to the PSP’s own deadline', () => {
  const by = (at: Date, isPspsOwn: boolean) =>
    findObstacle({ ...open, respondBy: { at, source: 'x', isPspsOwn } }, api, now);
  const later = new Date(now.getTime() + 1);
  expect(findObstacle(open, api, now)).toBeUndefined();
  expect(by(later, true)).toBeUndefined();
  expect(by(now, true)).toEqual({ kind: 'past_deadline', at: now });
  expect(by(now, false)).toBeUndefined();
});

it('what stands in the way is told in a sentence', () => {
  const state = { kind: 'dispute', stage: 'chargeback', status: 'under_review' } as const;
  const byHand = { kind: 'by_hand', reason: 'It has no API.' } as const;
  const obstacles = [
    findObstacle({ ...open, state: { kind: 'fraud_warning' } }, api, now),
    findObstacle({ ...open, state }, api, now),
    findObstacle(open, undefined, now),
    findObstacle(open, byHand, now),
    { kind: 'no_amount' } as const,
    { kind: 'past_deadline', at: now } as const,
    { kind: 'no_staging', reason: 'It has no staging.' } as const,
  ];
  expect(obstacles.map((obstacle) => obstacle && obstacleMessage(obstacle))).toEqual([
    'A fraud warning cannot be answered; if it becomes a dispute, that can be.',
    'The dispute awaits no answer: it is under review.',
    "There is no connection to Stripe. Connect it, or: Give it the evidence's PDF by hand.",
    "It has no API. Give it the evidence's PDF by hand.",
    'The amount in dispute is not known. Report it with POST /v1/disputes.',
    'The PSP accepted answers until 2026-06-10T12:00:00.000Z.',
    'It has no staging. Review the evidence here, then submit it.',
  ]);
});
