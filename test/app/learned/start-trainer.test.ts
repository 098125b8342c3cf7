import { expect, it, onTestFinished } from 'vitest';
import { startTrainer } from '../../../src/app/learned/start-trainer.ts';
import { holidayCalendar } from '../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import { isHeldOut } from '../../../src/policy/learned/training/split-rows.ts';
import { randomPolicy } from '../../../src/simulator/policies/simple-policies.ts';
import { trainingRows } from '../../../src/simulator/training-rows.ts';

it('trains in a thread of its own, and judges both models on the same held-out tries', async () => {
  const trainer = startTrainer();
  onTestFinished(() => trainer.close());
  const rows = trainingRows({ seed: 3, failures: 120, days: 14, policy: randomPolicy(1, 4) });
  await trainer.add(rows.slice(0, 100));
  await trainer.add(rows.slice(100));
  const calendar = holidayCalendar(['2027-01-18']);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const trained = await trainer.train({ version: 'mod_1', calendar, present: priorModel });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(trained.model).toMatchObject({ version: 'mod_1', rows: rows.length });
  const held = rows.filter(({ facts }) => isHeldOut(facts.paymentId)).length;
  expect([trained.candidate.rows, trained.present.rows]).toEqual([held, held]);
});

it('fails where there is nothing to train on, and is of use no more', async () => {
  const trainer = startTrainer();
  onTestFinished(() => trainer.close());
  const calendar = holidayCalendar([]);
  await expect(trainer.train({ version: 'mod_1', calendar, present: priorModel })).rejects.toThrow(
    'nothing to train on',
  );
});

it('fails at once where the thread has ended', async () => {
  const trainer = startTrainer();
  await trainer.close();
  await expect(trainer.add([])).rejects.toThrow('the thread ended');
});
