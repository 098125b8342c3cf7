import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultRig, startFaultRig } from '../../src/faults/run/fault-rig.ts';
import { runSeeds, type SeedReply } from '../../src/faults/run/run-seeds.ts';
import { temporaryFolder } from '../kits/temporary-folder.ts';

/** Each of them once broke a promise, or showed a kind of fault that others do not. */
const fixed = [2002, 3000, 4015, 4078];
/** Others in each run: a failure names its seed, which plays the same again. */
const fresh = Array.from({ length: 3 }, () => randomInt(1_000_000_000));
const world = { days: 8, payments: 8 };

let rig: FaultRig;

beforeAll(async () => {
  rig = await startFaultRig(temporaryFolder());
}, 120_000);

afterAll(() => rig.close());

test.each([...fixed, ...fresh])(
  'every promise is kept under the faults of seed %i',
  async (seed) => {
    const { violations } = await rig.run({ ...world, seed });
    expect(
      violations,
      `npm run recoup -- simulate faults --seed ${seed} --days 8 --payments 8`,
    ).toEqual([]);
  },
  120_000,
);

test('seeds that are played side by side play as each does alone', async () => {
  const replies: SeedReply[] = [];
  const seeds = fixed.slice(0, 2);
  const small = { days: 3, payments: 4 };
  const left = seeds.map((seed) => ({ ...small, seed }));
  await runSeeds({
    workers: 2,
    next: () => left.shift(),
    onReply: (reply) => replies.push(reply),
  });
  expect(replies.map(({ seed }) => seed).toSorted()).toEqual(seeds);
  for (const reply of replies) {
    const alone = await rig.run({ ...small, seed: reply.seed });
    expect(reply).toMatchObject({ hash: alone.hash });
  }
}, 240_000);
