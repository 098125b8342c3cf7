import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultRig, startFaultRig } from '../../src/faults/run/fault-rig.ts';
import { calm, type Swarm } from '../../src/faults/world/swarm.ts';
import { temporaryFolder } from '../kits/temporary-folder.ts';

let rig: FaultRig;

beforeAll(async () => {
  rig = await startFaultRig(temporaryFolder());
}, 120_000);

afterAll(() => rig.close());

const small = { days: 6, payments: 8 };

/** Every fault that a swarm may have, so that nothing is the same by being left out. */
const stormy = (swarm: Swarm): Swarm => ({
  ...swarm,
  workers: 3,
  http: {
    refused: 0.05,
    requestLost: 0.1,
    answerLost: 0.2,
    late: 0.2,
    again: 0.2,
    errorBefore: 0.1,
    errorAfter: 0.1,
    slowMs: 4_000,
  },
  database: { cutBefore: 0.02, cutAfter: 0.02, slow: 0.1 },
  processes: { killed: 0.02, held: 0.03, suspended: 0.01, maxHeldMs: 180_000 },
});

test('the same seed plays the same, to the last line of its trace', async () => {
  const traces: string[][] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const lines: string[] = [];
    await rig.run({ seed: 11, ...small, change: stormy, onLine: (line) => lines.push(line) });
    traces.push(lines);
  }
  expect(traces[0]?.length).toBeGreaterThan(500);
  expect(traces[1]).toEqual(traces[0]);
}, 120_000);

/** Each of them once charged a card again that was declined as stolen after the backup: one at each PSP. */
test.each([13, 14, 22])(
  'a backup that is put back charges nothing twice and loses no answer: seed %i',
  async (seed) => {
    const restored = (swarm: Swarm): Swarm => ({ ...swarm, isRestored: true, accountsReplaced: 0 });
    const run = await rig.run({ seed, ...small, change: restored });
    expect(run.record.restores).toHaveLength(1);
    expect(run.violations).toEqual([]);
  },
  120_000,
);

test('where nothing goes wrong every promise is kept, and debts are recovered', async () => {
  const quiet = (swarm: Swarm): Swarm => ({
    ...swarm,
    ...calm,
    clocks: { maxOffsetMs: 0, maxDrift: 0, jumps: 0, pspOffsetMs: 0 },
    twoChannels: 0,
    livesAtPsp: 0,
  });
  const run = await rig.run({ seed: 3, ...small, change: quiet });
  expect(run.violations).toEqual([]);
  expect(run.record.charges.some((charge) => charge.state === 'succeeded')).toBe(true);
  expect(run.record.requests.length).toBeGreaterThanOrEqual(small.payments);
  expect(run.archived.packed).toBeGreaterThanOrEqual(small.payments);
  expect(run.archived.putBackToSend).toBeGreaterThan(0);
}, 120_000);

test('payments are packed meanwhile, and put back to send a webhook again and for a late word of a PSP', async () => {
  const told = (swarm: Swarm): Swarm => ({ ...swarm, contradicts: true, livesAtPsp: 0.5 });
  const run = await rig.run({ seed: 21, days: 8, payments: 12, change: told });
  expect(run.violations).toEqual([]);
  expect(run.archived.packed).toBeGreaterThan(6);
  expect(run.archived.putBackToSend).toBeGreaterThan(0);
  expect(run.archived.putBackByAnswer).toBeGreaterThan(0);
  expect(run.record.contradictions.length).toBeGreaterThan(0);
  expect(run.record.askedAgain.some(({ isFound }) => isFound)).toBe(true);
}, 120_000);
