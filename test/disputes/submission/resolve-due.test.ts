import { describe, expect, it } from 'vitest';
import type { DisputeDetail } from '../../../src/disputes/dispute-ports.ts';
import { resolveDue } from '../../../src/disputes/submission/resolve-due.ts';
import { resolveSubmission } from '../../../src/disputes/submission/resolve-submission.ts';
import type { Submission } from '../../../src/disputes/submission/submission-ports.ts';
import { disputeDetail } from '../evidence/evidence-records.ts';
import { inFlightMs, now, submissionOf, submissionWorld } from './submission-world.ts';

type Answers = Parameters<typeof submissionWorld>[0];
const justNow = new Date(now.getTime() - inFlightMs + 1);
const before = new Date(now.getTime() - inFlightMs);
const stated = (status: 'needs_response' | 'under_review' | 'won' | 'lost') =>
  disputeDetail({ state: { kind: 'dispute', stage: 'chargeback', status } });

async function resolve(
  found: Partial<Submission>,
  answers: Answers = {},
  more: { readonly dispute?: DisputeDetail; readonly hasApi?: boolean } = {},
) {
  const world = submissionWorld(answers);
  const { dispute = disputeDetail(), hasApi = true } = more;
  const outcome = await resolveSubmission(world.deps, {
    found: submissionOf(found),
    dispute,
    api: hasApi ? world.api : undefined,
    input: { actor: 'ann' },
  });
  return { ...world, outcome };
}

describe('a submission that was begun before', () => {
  it.each(['staged', 'failed', 'submitted'] as const)(
    'and is %s may be begun again',
    async (state) => {
      expect((await resolve({ state, updatedAt: justNow })).outcome).toBeUndefined();
    },
  );

  it('may be staged again once nobody else can be at it', async () => {
    expect((await resolve({ state: 'staging', updatedAt: justNow })).outcome?.kind).toBe('pending');
    const { outcome, asked } = await resolve({ state: 'staging', updatedAt: before });
    expect(outcome).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each(['under_review', 'won'] as const)(
    'has arrived where the dispute is %s',
    async (status) => {
      const { outcome, steps, asked } = await resolve(
        { state: 'submitting' },
        {},
        { dispute: stated(status) },
      );
      expect(outcome).toMatchObject({ kind: 'done', submission: { state: 'submitted' } });
      expect(steps).toMatchObject([{ state: 'submitted', fence: 3, actor: 'ann' }]);
      expect(asked).toEqual([]);
    },
  );

  it.each(['needs_response', 'lost'] as const)(
    'is looked up where the dispute is %s',
    async (status) => {
      expect(
        (await resolve({ state: 'unknown' }, {}, { dispute: stated(status) })).asked,
      ).toHaveLength(1);
    },
  );

  it('is not looked up while its call may be on its way, nor without a connection', async () => {
    expect((await resolve({ state: 'submitting', updatedAt: justNow })).asked).toEqual([]);
    const without = await resolve({ state: 'unknown' }, {}, { hasApi: false });
    expect(without.outcome?.kind).toBe('pending');
    expect((await resolve({ state: 'submitting', updatedAt: before })).asked).toHaveLength(1);
    // Its call came back without an answer: the record may say more at once.
    expect((await resolve({ state: 'unknown', updatedAt: justNow })).asked).toHaveLength(1);
  });

  it('is what the record says', async () => {
    const arrived = await resolve({ state: 'unknown' }, { record: { kind: 'submitted' } });
    expect(arrived.outcome).toMatchObject({ kind: 'done', submission: { state: 'submitted' } });
    expect((await resolve({ state: 'unknown' })).outcome).toBeUndefined();
    const young = await resolve({ state: 'unknown', updatedAt: justNow });
    expect(young.outcome?.kind).toBe('pending');
  });

  it('becomes unknown where the record cannot be read', async () => {
    const record = { kind: 'unreadable', reason: 'away' } as const;
    const first = await resolve({ state: 'submitting' }, { record });
    expect(first.outcome).toMatchObject({ kind: 'pending', submission: { state: 'unknown' } });
    expect(first.steps).toMatchObject([{ state: 'unknown', reason: 'away' }]);
    const again = await resolve({ state: 'unknown' }, { record });
    expect(again.outcome).toMatchObject({ kind: 'pending' });
    expect(again.steps).toEqual([]);
  });

  it('is what somebody else made of it meanwhile', async () => {
    const taken = submissionOf({ state: 'submitted', fence: 9 });
    const { outcome } = await resolve(
      { state: 'unknown' },
      { taken, record: { kind: 'submitted' } },
    );
    expect(outcome).toMatchObject({ submission: { fence: 9 } });
  });
});

describe('look-ups that are due', () => {
  const due = async (
    answers: Answers,
    lookUps = 0,
    dispute: DisputeDetail | undefined = disputeDetail(),
  ) => {
    const world = submissionWorld(answers);
    const found = { ...submissionOf({ state: 'unknown' }), lookUps };
    const deps = {
      ...world.deps,
      submissions: { ...world.deps.submissions, findLookUpsDue: async () => [found] },
      disputes: { show: async () => dispute },
      findEvidenceGateway: async () => world.api,
    };
    const count = await resolveDue(deps, { at: now, limit: 10 });
    return { ...world, count };
  };
  const unreadable = { record: { kind: 'unreadable', reason: 'away' } } as const;
  const minuteMs = 60_000;

  it.each([
    [0, minuteMs],
    [1, 2 * minuteMs],
    [9, 512 * minuteMs],
    [10, 720 * minuteMs],
    [18, 720 * minuteMs],
  ])('that said nothing %i times wait %i ms for the next', async (lookUps, waitMs) => {
    const { putOff, count } = await due(unreadable, lookUps);
    expect(putOff).toEqual([new Date(now.getTime() + waitMs)]);
    expect(count).toBe(1);
  });

  it('end after twenty, for a person to look', async () => {
    expect((await due(unreadable, 19)).putOff).toEqual([undefined]);
  });

  it('end in a failure where nothing arrived, and send nothing', async () => {
    const { steps, asked, putOff } = await due({});
    expect(steps).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('shows no answer') },
    ]);
    expect(asked).toEqual([['record', 'du_1']]);
    expect(putOff).toEqual([]);
  });

  it('end where it arrived', async () => {
    const { steps, putOff } = await due({ record: { kind: 'submitted' } });
    expect(steps).toMatchObject([{ state: 'submitted' }]);
    expect(putOff).toEqual([]);
  });

  it.each([
    [
      'whose stage is over',
      disputeDetail({ state: { kind: 'dispute', stage: 'arbitration', status: 'lost' } }),
    ],
    ['that became a warning', disputeDetail({ state: { kind: 'fraud_warning' } })],
  ])('of a dispute %s ask nothing any more', async (_what, dispute) => {
    const { putOff, asked } = await due({}, 0, dispute);
    expect(putOff).toEqual([undefined]);
    expect(asked).toEqual([]);
  });
});
