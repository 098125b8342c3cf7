import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { CalibrationCounts } from '../../../src/policy/learned/drift.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import { watchModels } from '../../../src/recovery/learned/watch-models.ts';

const at = new Date('2026-06-01T00:00:00Z');

async function watch(counts: CalibrationCounts, distrust?: string) {
  const noted: (string | undefined)[] = [];
  const log: string[] = [];
  const asked: Date[] = [];
  let told = 0;
  const active = {
    merchantId: '*',
    modelId: 'mod_1',
    model: priorModel,
    activatedAt: addMs(at, -60 * dayMs),
    ...(distrust === undefined ? {} : { distrust }),
  };
  await watchModels(
    {
      models: {
        readActive: async () => [active],
        async countTries(_, from) {
          asked.push(from);
          return counts;
        },
        noteDrift: async (input) => void noted.push(input.distrust),
      },
      log: { error: (_, message) => log.push(message) },
      onDistrusted: () => {
        told += 1;
      },
    },
    at,
  );
  return { noted, log, asked, told };
}

const steady = { tries: 400, successes: 98, foretold: 100, variance: 75 };
const drifted = { tries: 400, successes: 20, foretold: 100, variance: 75 };

it('distrusts a model that no longer predicts what happens, and says so', async () => {
  const { noted, log, told, asked } = await watch(drifted);
  expect(noted[0]).toMatch(/400 tries 20 succeeded, where 100 were predicted/);
  expect(log).toEqual(['a model no longer predicts what happens; fixed schedules are used']);
  expect(told).toBe(1);
  expect(asked).toEqual([addMs(at, -14 * dayMs)]);
});

it('says it once, and leaves a model alone that is right', async () => {
  expect((await watch(drifted, 'it has drifted')).log).toEqual([]);
  const { noted, log, told } = await watch(steady);
  expect([noted, log, told]).toEqual([[undefined], [], 0]);
});
