import { afterAll, beforeAll, expect, test } from 'vitest';
import { allPlanted } from '../../src/faults/planted/all-planted.ts';
import { knownSeeds } from '../../src/faults/planted/known-seeds.ts';
import { type FaultRig, startFaultRig } from '../../src/faults/run/fault-rig.ts';
import { provePlanted } from '../../src/faults/run/prove-planted.ts';
import { readText } from '../kits/source-files.ts';
import { temporaryFolder } from '../kits/temporary-folder.ts';

let rig: FaultRig;

beforeAll(async () => {
  rig = await startFaultRig(temporaryFolder());
}, 120_000);

afterAll(() => rig.close());

test('each planted bug is seen by the seed that is known to show it', async () => {
  const bugs = allPlanted;
  expect(bugs.map(({ name }) => name).toSorted()).toEqual(Object.keys(knownSeeds).toSorted());
  const world = { days: 2, payments: 1, maxSeeds: 0 };
  const proofs = await provePlanted(rig, { ...world, bugs, knownSeeds });
  const unseen = proofs.filter(({ caught }) => caught === undefined);
  expect(unseen.map(({ name }) => name)).toEqual([]);
}, 900_000);

test('each planted bug has a name of its own, and says what is wrong', () => {
  expect(new Set(allPlanted.map(({ name }) => name)).size).toBe(allPlanted.length);
  expect(allPlanted.length).toBeGreaterThanOrEqual(25);
  expect(allPlanted.every(({ what }) => what.length > 20)).toBe(true);
});

test('docs/reliability.md names each bug with its seed and its world', () => {
  const row = /^\| `([\w-]+)` \| (.+) \| (\d+) \| (\d+) and (\d+) \|$/gm;
  const told = Array.from(
    readText('docs/reliability.md').matchAll(row),
    ([, name = '', what = '', ...world]) => {
      const [seed, days, payments] = world.map(Number);
      return [name, { what, seed, days, payments }] as const;
    },
  );
  const known = allPlanted.map(({ name, what }) => [name, { what, ...knownSeeds[name] }] as const);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(known));
});
