import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPlanted } from '../../src/faults/planted/all-planted.ts';
import { type FaultRig, startFaultRig } from '../../src/faults/run/fault-rig.ts';
import { provePlanted } from '../../src/faults/run/prove-planted.ts';

let rig: FaultRig;

beforeAll(async () => {
  rig = await startFaultRig();
}, 120_000);

afterAll(() => rig.close());

/** The quick ones; `recoup simulate faults --planted all` tries them all. */
const quick: Readonly<Record<string, number>> = {
  'a-cent-more': 1,
  'decline-taken-for-success': 1,
  'a-new-body-each-send': 1,
  'an-old-secret': 1,
};

describe('the checker sees planted bugs', () => {
  test.each(Object.keys(quick))(
    '%s',
    async (name) => {
      const bugs = allPlanted.filter((planted) => planted.name === name);
      const input = { days: 5, payments: 6, maxSeeds: 4, firstSeeds: quick };
      const [proof] = await provePlanted(rig, { ...input, bugs });
      expect(proof?.caught).toBeDefined();
    },
    120_000,
  );
});

test('each planted bug has a name of its own, and says what is wrong', () => {
  expect(new Set(allPlanted.map(({ name }) => name)).size).toBe(allPlanted.length);
  expect(allPlanted.length).toBeGreaterThanOrEqual(25);
  expect(allPlanted.every(({ what }) => what.length > 20)).toBe(true);
});
