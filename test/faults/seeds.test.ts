import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultRig, startFaultRig } from '../../src/faults/run/fault-rig.ts';

/** Each of them once broke a promise, or showed a kind of fault that others do not. */
const fixed = [2002, 3000, 4015, 4078];
/** Others in each run: a failure names its seed, which plays the same again. */
const fresh = Array.from({ length: 3 }, () => randomInt(1_000_000_000));
const world = { days: 8, payments: 8 };

let rig: FaultRig;

beforeAll(async () => {
  rig = await startFaultRig();
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
