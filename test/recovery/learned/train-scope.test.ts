import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/payment.ts';
import { weekendCalendar } from '../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import type {
  ModelStore,
  Trained,
  TrainingNote,
  TrainingPayment,
} from '../../../src/recovery/learned/model-ports.ts';
import { trainScope } from '../../../src/recovery/learned/train-scope.ts';

const at = new Date('2026-03-01T00:00:00Z');
const decline = { category: 'later', code: '51' } as const;

/** So many payments with one declined try each; every third one in pounds. */
function payments(count: number): readonly TrainingPayment[] {
  return Array.from({ length: count }, (_, index) => ({
    merchantId: 'mer_1',
    invoiceId: `in_${String(index).padStart(6, '0')}`,
    customerId: `cus_${index}`,
    amountMinor: 1_000,
    currency: index % 3 === 0 ? 'GBP' : 'USD',
    failedAt: at,
    windowEndsAt: new Date('2026-03-29T00:00:00Z'),
    createdAt: at,
    maxAttempts: 4,
    firstDecline: decline,
    paymentMethodIds: ['pm_1'],
    renewedAt: new Map(),
    attempts: [
      {
        startedAt: at,
        endedAt: at,
        charges: [{ paymentMethodId: 'pm_1', succeeded: false, decline, sentAt: at }],
      },
    ],
  }));
}

const quality = {
  rows: 100,
  successes: 20,
  auc: 0.7,
  calibration: [],
  decisionValue: 0.3,
  calibrationError: 0.02,
};

/** A scope's training on so many payments, where the models have these losses. */
async function train(
  count: number,
  losses: { candidate: number; present: number },
  presentVersion = 'mod_before',
  model = priorModel,
  failure?: Error,
) {
  const all = payments(count);
  const done: string[] = [];
  const notes: TrainingNote[] = [];
  const losses0: number[] = [];
  const countries: (string | undefined)[] = [];
  const kept: JsonObject[] = [];
  let rows = 0;
  const models: Partial<ModelStore> = {
    readActive: async () => [
      {
        merchantId: '*',
        modelId: presentVersion,
        model: { ...priorModel, version: presentVersion },
        activatedAt: at,
      },
    ],
    add: async ({ modelId, model, metrics }) => {
      kept.push(metrics);
      done.push(`added ${modelId.slice(0, 4)}`);
      losses0.push(model.lossPerDay ?? 0);
    },
    activate: async ({ by }) => Boolean(done.push(`activated by ${by}`)),
    noteTraining: async (note) => void notes.push(note),
  };
  const trained: Trained = {
    model,
    candidate: { ...quality, logLoss: losses.candidate },
    present: { ...quality, logLoss: losses.present },
  };
  await trainScope(
    {
      clock: { now: () => at },
      random: { bytes: (length) => new Uint8Array(length) },
      reads: {
        listMerchants: async () => ['mer_1'],
        async readPayments({ after, limit }) {
          const from =
            after === undefined ? 0 : all.findIndex((p) => p.invoiceId === after.invoiceId) + 1;
          return all.slice(from, from + limit);
        },
        readPayers: async () => [],
        readWaiting: async () => ({ cancelled: 30, openDays: 1_000 }),
      },
      models: models as ModelStore,
      startTrainer: () => ({
        async add(batch) {
          rows += batch.length;
        },
        async train() {
          if (failure !== undefined) throw failure;
          return trained;
        },
        close: async () => void done.push('closed'),
      }),
      async calendarOf(country) {
        countries.push(country);
        return weekendCalendar;
      },
      log: { info() {} },
      onActivated: () => done.push('told'),
    },
    { merchantId: '*', signal: new AbortController().signal, progress() {} },
  ).catch((error: Error) => {
    if (error !== failure) throw error;
  });
  return {
    done,
    rows,
    countries,
    lossPerDay: losses0.at(-1),
    last: notes.at(-1),
    metrics: kept.at(-1),
  };
}

it('promotes a model that predicts held-out tries better than the present one', async () => {
  const { done, rows, last } = await train(1_200, { candidate: 0.4, present: 0.5 });
  expect(rows).toBe(1_200);
  expect(done).toEqual(['added mod_', 'activated by training', 'told', 'closed']);
  expect(last).toMatchObject({ state: 'done', tries: 1_200 });
  expect(last?.message).toContain('Promoted: log loss');
});

it('keeps one that does not as a candidate', async () => {
  const { done, last } = await train(300, { candidate: 0.5, present: 0.5 });
  expect(done).toEqual(['added mod_', 'closed']);
  expect(last?.message).toContain('Kept as a candidate, since it predicts no better');
});

it('makes no model of a handful of tries', async () => {
  const { done, last } = await train(20, { candidate: 0.4, present: 0.5 });
  expect(done).toEqual(['closed']);
  expect(last).toMatchObject({
    state: 'done',
    message: '20 tries are too few to learn from; at least 200 are needed.',
  });
});

it('says why it failed, without the value that a statement failed at', async () => {
  const losses = { candidate: 0.4, present: 0.5 };
  const of = ['mod_before', priorModel] as const;
  const unreadable = Object.assign(new Error('invalid input syntax: "jo@x.test"'), {
    code: '22P02',
  });
  const { last, done } = await train(400, losses, ...of, unreadable);
  expect(last).toMatchObject({
    state: 'failed',
    message: 'a statement failed at a value (22P02)',
  });
  expect(done).toEqual(['closed']);
  const plain = await train(400, losses, ...of, new Error('the thread ended'));
  expect(plain.last?.message).toBe('the thread ended');
});

it('promotes the first model of own tries in any case: it has to earn its traffic', async () => {
  const { done } = await train(400, { candidate: 0.5, present: 0.4 }, priorModel.version);
  expect(done).toContain('activated by training');
});

it('has waiting cost what own cancellations say, beside a thousand days of the usual', async () => {
  const { lossPerDay } = await train(400, { candidate: 0.4, present: 0.5 });
  expect(lossPerDay).toBeCloseTo((30 + 4) / 2_000, 9);
});

it('goes by the holidays of the country of most payers, not of the first ones', async () => {
  const { countries } = await train(400, { candidate: 0.4, present: 0.5 });
  expect(countries).toEqual(['US']);
});

it('says with the figures whether the paydays of all payers have moved', async () => {
  const losses = { candidate: 0.4, present: 0.5 };
  const still = await train(1_200, losses);
  expect(still.metrics).not.toHaveProperty('payday_move');
  const paydayMove = { sinceMs: Date.UTC(2026, 1, 20), days: -2 };
  const { metrics } = await train(1_200, losses, 'mod_before', { ...priorModel, paydayMove });
  expect(metrics).toMatchObject({
    payday_move: { since: '2026-02-20T00:00:00.000Z', days: -2 },
  });
});
