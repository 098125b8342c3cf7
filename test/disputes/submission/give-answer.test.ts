import { describe, expect, it } from 'vitest';
import { giveAnswer } from '../../../src/disputes/submission/give-answer.ts';
import type { Submission } from '../../../src/disputes/submission/submission-ports.ts';
import {
  inFlightMs,
  input,
  key,
  now,
  packet,
  submissionOf,
  submissionWorld,
} from './submission-world.ts';

type Answers = Parameters<typeof submissionWorld>[0];

async function give(answers: Answers, found?: Submission, stageOnly = false) {
  const world = submissionWorld(answers);
  const to = { key, api: world.api, dispute: { pspDisputeId: 'du_1' }, found, packet };
  const outcome = await giveAnswer(world.deps, { ...input, stageOnly }, to);
  const states = world.steps.map(({ state, fence }) => [state, fence]);
  return { ...world, outcome, states };
}

const lost = { kind: 'lost', reason: 'no answer' } as const;
const failed = { kind: 'failed', reason: 'not taken' } as const;

describe('the answer to a dispute', () => {
  it('is staged, then sent on, each step written before its call', async () => {
    const { outcome, states, asked, steps } = await give({});
    expect(outcome).toMatchObject({ kind: 'done', submission: { state: 'submitted' } });
    expect(states).toEqual([
      ['staging', 0],
      ['staged', 1],
      ['submitting', 2],
      ['submitted', 3],
    ]);
    expect(asked).toEqual([
      ['stage', 'chargeback-1'],
      ['submit', 'chargeback-3'],
    ]);
    expect(steps.map(({ lookUpAt }) => lookUpAt)).toEqual([
      undefined,
      undefined,
      new Date(now.getTime() + inFlightMs),
      undefined,
    ]);
    expect(
      steps.every(
        ({ actor, contentHash }) => actor === 'ann' && contentHash === packet.contentHash,
      ),
    ).toBe(true);
  });

  it('is only staged where that is asked for', async () => {
    const { outcome, asked } = await give({}, undefined, true);
    expect(outcome).toMatchObject({ kind: 'done', submission: { state: 'staged' } });
    expect(asked).toEqual([['stage', 'chargeback-1']]);
  });

  it('that is staged already is not staged again, unless it says something else', async () => {
    expect((await give({}, submissionOf(), true)).asked).toEqual([]);
    expect((await give({}, submissionOf())).asked).toEqual([['submit', 'chargeback-4']]);
    const other = await give({}, submissionOf({ contentHash: 'other' }), true);
    expect(other.asked).toEqual([['stage', 'chargeback-4']]);
    expect((await give({}, submissionOf({ state: 'failed' }), true)).asked).toHaveLength(1);
  });

  it('is sent on by the name that the staging gave it', async () => {
    const { asked, states } = await give({ stage: { kind: 'done', reference: 'ref_1' } });
    expect(asked.at(-1)).toEqual(['submit', ['chargeback-3', 'ref_1']]);
    expect(states).toHaveLength(4);
    expect((await give({}, submissionOf({ reference: 'ref_0' }))).asked).toEqual([
      ['submit', ['chargeback-4', 'ref_0']],
    ]);
  });

  it('is sent at once where the PSP has no staging, and cannot be staged alone', async () => {
    const whole = await give({ stage: 'not_offered' });
    expect(whole.asked).toEqual([['submit', 'chargeback-1']]);
    expect(whole.outcome.kind).toBe('done');
    const { outcome, asked } = await give({ stage: 'not_offered' }, undefined, true);
    expect(outcome).toEqual({
      kind: 'refused',
      obstacle: { kind: 'no_staging', reason: 'It has no staging.' },
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ['not taken', failed],
    ['lost', lost],
  ])('whose staging was %s has failed, and is not sent on', async (_what, stage) => {
    const { outcome, states, steps, asked } = await give({ stage });
    expect(outcome).toMatchObject({ kind: 'failed', submission: { state: 'failed' } });
    expect(states).toEqual([
      ['staging', 0],
      ['failed', 1],
    ]);
    expect(steps.at(-1)?.reason).toBe(stage.reason);
    expect(asked).toHaveLength(1);
  });

  it('that lacks what the PSP asks for is not sent, and says so', async () => {
    const stage = { kind: 'incomplete', reason: 'it requires X' } as const;
    const { outcome, steps, asked } = await give({ stage });
    expect(outcome).toMatchObject({ kind: 'incomplete', submission: { state: 'failed' } });
    expect(steps.at(-1)).toMatchObject({ state: 'failed', reason: 'it requires X' });
    expect(asked).toHaveLength(1);
  });

  it('is staged again with what lies there by the staging before, even by one that failed', async () => {
    const before = submissionOf({ state: 'failed', reference: 'ref_0' });
    const stage = { ...failed, reference: 'ref_1' };
    const { asked, steps } = await give({ stage }, before);
    expect(asked).toEqual([['stage', ['chargeback-4', 'ref_0']]]);
    expect(steps.map(({ state, reference }) => [state, reference])).toEqual([
      ['staging', 'ref_0'],
      ['failed', 'ref_1'],
    ]);
    const again = await give({ stage: failed }, before);
    expect(again.steps.at(-1)?.reference).toBe('ref_0');
  });

  it('that was not taken has failed, with the reason', async () => {
    const { outcome, steps } = await give({ submit: failed }, submissionOf());
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(steps.at(-1)).toMatchObject({ state: 'failed', reason: 'not taken' });
  });

  it('whose sending was lost is submitted where the record says so, else unknown', async () => {
    const arrived = await give({ submit: lost, record: { kind: 'submitted' } }, submissionOf());
    expect(arrived.outcome).toMatchObject({ kind: 'done', submission: { state: 'submitted' } });
    expect(arrived.asked.at(-1)).toEqual(['record', 'du_1']);
    for (const record of [
      { kind: 'not_submitted' },
      { kind: 'unreadable', reason: 'x' },
    ] as const) {
      const { outcome, steps } = await give({ submit: lost, record }, submissionOf());
      expect(outcome).toMatchObject({ kind: 'pending', submission: { state: 'unknown' } });
      expect(steps.at(-1)).toMatchObject({
        reason: 'no answer',
        lookUpAt: new Date(now.getTime() + inFlightMs),
      });
    }
  });

  it('that somebody else gives meanwhile is theirs', async () => {
    for (const state of ['submitting', 'staging', 'unknown'] as const) {
      const { outcome, asked } = await give({ taken: submissionOf({ state }) }, submissionOf());
      expect(outcome).toMatchObject({ kind: 'pending', submission: { state } });
      expect(asked).toEqual([]);
    }
    const done = await give({ taken: submissionOf({ state: 'submitted' }) });
    expect(done.outcome.kind).toBe('done');
    expect((await give({ taken: 'gone' })).outcome).toEqual({ kind: 'not_found' });
  });
});
