import { expect, it } from 'vitest';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import type { ModelView } from '../../../src/recovery/learned/model-ports.ts';
import {
  type ArmGroup,
  type ExperimentsQuery,
  judgeExperiments,
  learnedPolicyOff,
} from '../../../src/recovery/reports/experiments.ts';

const at = new Date('2026-03-01T00:00:00Z');
const later = new Date('2026-03-05T00:00:00Z');
const merchant = {
  merchantId: 'mer_1',
  name: 'Acme',
  windowDays: 28,
  maxAttempts: 8,
  fixedDays: [1],
  learnedShare: 0.9,
  learnedReason: 'On trial.',
  segments: [],
  holdoutShare: 0.2,
  policySince: at,
};

const groups = (arm: ArmGroup['arm'], count: number, recovered: number): readonly ArmGroup[] =>
  Array.from({ length: count }, (_, group) => ({
    merchantId: 'mer_1',
    arm,
    group,
    payments: 4,
    recovered,
    tries: 8,
    succeeded: recovered,
  }));

const model = (change: Partial<ModelView>): ModelView => ({
  merchantId: '*',
  modelId: 'mod_all',
  status: 'active',
  origin: 'trained',
  metrics: {},
  createdAt: at,
  ...change,
});

async function list(input: {
  readonly models?: readonly ModelView[];
  readonly query?: ExperimentsQuery;
  readonly learnedPolicy?: boolean;
}) {
  const asked: Date[] = [];
  const { models = [], query = {}, learnedPolicy = true } = input;
  const [experiment] = await judgeExperiments(
    {
      learnedPolicy,
      listModels: async () => models,
      listLearnedMerchants: async () => [merchant],
      async sumArms(of) {
        asked.push(...of.map(({ from }) => from));
        return [...groups('learned', 25, 3), ...groups('holdout', 10, 2)];
      },
    },
    query,
  );
  return { experiment, asked };
}

it('gives each arm its share and figures, bounds from 20 groups of payers on', async () => {
  const { experiment, asked } = await list({ query: { since: new Date(0) } });
  expect(asked).toEqual([at]);
  expect(experiment).toMatchObject({
    modelId: priorModel.version,
    isOwnModel: false,
    exploreShare: 0.07,
  });
  expect(experiment).not.toHaveProperty('fallback');
  expect(experiment?.arms).toEqual([
    {
      arm: 'learned',
      share: 0.93,
      payments: 100,
      recovered: 75,
      recoveredRate: { value: 0.75, low: 0.75, high: 0.75 },
      tries: 200,
      succeeded: 75,
      successRate: { value: 0.375, low: 0.375, high: 0.375 },
    },
    { arm: 'explore', share: 0.07, payments: 0, recovered: 0, tries: 0, succeeded: 0 },
    {
      arm: 'holdout',
      share: 0.2,
      payments: 40,
      recovered: 20,
      recoveredRate: { value: 0.5 },
      tries: 80,
      succeeded: 20,
      successRate: { value: 0.25 },
    },
  ]);
});

it('looks at later payments alone where a later time is asked for', async () => {
  expect((await list({ query: { since: later } })).asked).toEqual([later]);
});

it('says since when and why fixed days are used, of the model that plans for the merchant', async () => {
  const distrusted = { distrust: 'it has drifted', distrustedAt: later };
  const common = model(distrusted);
  expect((await list({ models: [common] })).experiment?.fallback).toEqual({
    message: 'it has drifted',
    since: later,
  });
  const own = model({ merchantId: 'mer_1', modelId: 'mod_own' });
  const { experiment } = await list({ models: [common, own] });
  expect(experiment).toMatchObject({ modelId: 'mod_own', isOwnModel: true });
  expect(experiment).not.toHaveProperty('fallback');
  const off = await list({ models: [own], learnedPolicy: false });
  expect(off.experiment?.fallback).toEqual({ message: learnedPolicyOff });
});
