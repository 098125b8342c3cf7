import { expect, it } from 'vitest';
import { spoiledTrainer } from '../../../src/app/simulated/spoiled-trainer.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import type { TrainingRow } from '../../../src/policy/learned/retry-facts.ts';
import type { JudgedModel } from '../../../src/policy/learned/training/train-model.ts';
import { wrongModel } from '../../../src/simulator/end-to-end/wrong-model.ts';

it('a spoiled training gives a wrong model with the figures of the good one', async () => {
  const judged: JudgedModel = { ...priorModel.metrics.logistic, decisionValue: 0.5 };
  const told: unknown[] = [];
  const start = spoiledTrainer(
    () => ({
      add: async (rows: readonly TrainingRow[]) => void told.push(rows),
      train: async () => ({ model: priorModel, candidate: judged, present: judged }),
      close: async () => void told.push('closed'),
    }),
    wrongModel,
  );
  const trainer = start();
  await trainer.add([]);
  const input = { version: 'mod_1', calendar: weekendCalendar, present: priorModel };
  const { model, candidate } = await trainer.train(input);
  await trainer.close();
  expect(told).toEqual([[], 'closed']);
  expect(candidate).toBe(judged);
  expect(model).toEqual(wrongModel(priorModel));
});
