import { expect, it } from 'vitest';
import { trainModelJob } from '../../../src/jobs/background/models/train-models.ts';

it('lists the shipped model before a training that was asked for may replace it', async () => {
  const done: string[] = [];
  const job = trainModelJob({
    async ensureShipped(at) {
      done.push(`shipped at ${at.toISOString()}`);
    },
    async train({ merchantId }) {
      done.push(`trained ${merchantId}`);
    },
  });
  const context = {
    at: new Date('2026-03-02T00:00:00.000Z'),
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  await job.run({ merchantId: 'mer_a' }, context);
  expect(done).toEqual(['shipped at 2026-03-02T00:00:00.000Z', 'trained mer_a']);
});
