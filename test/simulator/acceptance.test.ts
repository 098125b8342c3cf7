import { expect, it } from 'vitest';
import { acceptanceTargets, measureAcceptance } from '../../src/simulator/acceptance.ts';
import { parameters } from '../../src/simulator/parameters.ts';

it('the published world shows what was published, in every band', () => {
  const results = measureAcceptance({ seed: 1, failures: 3_000 });
  expect(results.map(({ name }) => name)).toEqual(
    Object.values(acceptanceTargets).map(({ name }) => name),
  );
  const missed = results.filter(({ isMet }) => !isMet);
  expect(missed.map(({ name, value }) => `${name}: ${value}`)).toEqual([]);
});

it('a world without dead accounts and nightly declines misses what rests on them', () => {
  const results = measureAcceptance({
    seed: 1,
    failures: 500,
    parameters: {
      ...parameters,
      deadAccounts: { deadShare: 0 },
      hourOfDay: { nightFactor: 1, eveningFactor: 1 },
    },
  });
  const missed = results.filter(({ isMet }) => !isMet).map(({ name }) => name);
  expect(missed).toContain(acceptanceTargets.bestFixed.name);
  expect(missed).toContain(acceptanceTargets.nightRatio.name);
});
