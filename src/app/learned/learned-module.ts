import { dayMs, secondMs } from '../../domain/clock.ts';
import { defaultShares } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { trainModelJob, trainModelsJob } from '../../jobs/background/models/train-models.ts';
import { watchModelsJob } from '../../jobs/background/models/watch-models.ts';
import type { BackgroundJob } from '../../jobs/background-job.ts';
import { type LearnedPolicy, learnedDefaults } from '../../policy/learned/learned-policy.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import { allMerchants, type ModelStore } from '../../recovery/learned/model-ports.ts';
import type { FindLearnedPolicy, HealthByBin, LearnedFacts } from '../../recovery/learned/ports.ts';
import { stepTakeOver } from '../../recovery/learned/take-over.ts';
import { type TrainDeps, trainScope } from '../../recovery/learned/train-scope.ts';
import { watchModels } from '../../recovery/learned/watch-models.ts';
import { learnedPolicyOff } from '../../recovery/reports/experiments.ts';
import type { WhatIfStore } from '../../recovery/what-if/what-if-ports.ts';
import { readIssuerHealth } from '../../store/learned/issuer-health.ts';
import { createModelStore } from '../../store/learned/model-store.ts';
import { readPayerRecords } from '../../store/learned/payer-records.ts';
import { createTakeOverStore } from '../../store/learned/take-over-store.ts';
import { createTrainingReads } from '../../store/learned/training-reads.ts';
import { createWhatIfStore } from '../../store/learned/what-if-store.ts';
import { onNobodysBehalf } from '../../store/pool/behalf.ts';
import type { AppContext } from '../context.ts';
import { spoiledTrainer } from '../simulated/spoiled-trainer.ts';
import { type ActiveModels, createActiveModels } from './active-models.ts';
import { holidayCalendars } from './holiday-calendars.ts';
import { startTrainer } from './start-trainer.ts';
import { whatIfJob } from './what-if-job.ts';

/** The learned policy's parts of the service: what plans need, and what keeps the models fresh. */
export interface LearnedModule {
  readonly facts: LearnedFacts;
  readonly findPolicy: FindLearnedPolicy;
  readonly models: ModelStore;
  readonly whatIfs: WhatIfStore;
  readonly jobs: readonly BackgroundJob[];
  /** Models have changed: the next plan looks again. */
  forgetModels(): void;
}

/** Outages last minutes to hours; a look at late charges is shared by all claims within this. */
const healthTtlMs = 5 * secondMs;

export function createLearnedModule(context: AppContext): LearnedModule {
  const { config, db, clock, random, log, elapsedMs, outside } = context;
  const models = createModelStore(db);
  const steps = createTakeOverStore(db);
  const active = createActiveModels({
    models: { readActive: (known) => onNobodysBehalf(() => models.readActive(known)) },
    readSegmentShares: () => onNobodysBehalf(() => steps.readSegmentShares()),
    elapsedMs,
  });
  const calendarOf = holidayCalendars({ clock });
  const reads = createTrainingReads(db);
  const train: TrainDeps = {
    clock,
    random,
    reads,
    models,
    startTrainer:
      outside?.spoil === undefined ? startTrainer : spoiledTrainer(startTrainer, outside.spoil),
    calendarOf,
    log,
    onActivated: () => active.forget(),
  };
  const watch = { models, log, onDistrusted: () => active.forget() };
  const whatIfs = createWhatIfStore(db);
  const ensureShipped = (at: Date) => models.ensureShipped(priorModel, at);
  return {
    facts: {
      readPayers: (keys, at) => readPayerRecords(db, keys, at),
      readHealth: keptHealth((ids, from, at) => readIssuerHealth(db, ids, from, at)),
    },
    findPolicy: (asked) => findPolicy({ active, calendarOf, isOn: config.learnedPolicy }, asked),
    models,
    whatIfs,
    jobs: [
      trainModelsJob({
        everyMs: dayMs,
        scopes: () => scopesToTrain({ models, reads }),
        ensureShipped,
        train: (run) => trainScope(train, run),
      }),
      trainModelJob({ ensureShipped, train: (run) => trainScope(train, run) }),
      watchModelsJob({
        async watch(at) {
          await watchModels(watch, at);
          await stepTakeOver({ models, log, steps }, at);
        },
      }),
      whatIfJob({ clock, db, whatIfs }),
    ],
    forgetModels: () => active.forget(),
  };
}

interface PolicyDeps {
  readonly active: ActiveModels;
  readonly calendarOf: TrainDeps['calendarOf'];
  /** False: it is switched off altogether. */
  readonly isOn: boolean;
}

async function findPolicy(
  { active, calendarOf, isOn }: PolicyDeps,
  { merchantId, fixedDays, country, ...shares }: Parameters<FindLearnedPolicy>[0],
): Promise<LearnedPolicy> {
  const { model, distrust: drifted, segmentShares } = await active.find(merchantId);
  const distrust = isOn ? drifted : learnedPolicyOff;
  // A step was earned by a trained model: the shipped one plans nothing by it.
  const isEarned = model.version !== priorModel.version;
  const bySteps = isEarned ? (shares.learnedStep ?? 0) : 0;
  const isByHand = shares.learnedShare !== undefined;
  return {
    model,
    calendar: await calendarOf(country),
    bestFixedDays: fixedDays,
    holdoutShare: shares.holdoutShare ?? defaultShares.holdout,
    learnedShare: shares.learnedShare ?? bySteps,
    exploreShare: shares.exploreShare ?? defaultShares.explore,
    salt: merchantId,
    costs: { ...learnedDefaults.costs, ...present({ lossPerDay: model.lossPerDay }) },
    ...present({ distrust, segmentShares: isByHand || !isEarned ? undefined : segmentShares }),
  };
}

/** All merchants together, and those that have a model of their own; none where nobody uses one. */
async function scopesToTrain(deps: {
  readonly models: ModelStore;
  readonly reads: TrainDeps['reads'];
}): Promise<readonly string[]> {
  const using = await deps.reads.listMerchants({ learnedOnly: true });
  if (using.length === 0) return [];
  const own = (await deps.models.list()).map(({ merchantId }) => merchantId);
  return [...new Set([allMerchants, ...own.filter((id) => using.includes(id))])];
}

/** Late outcomes, shared by the claims of some seconds; a merchant that is new to them is read. */
function keptHealth(read: LearnedFacts['readHealth']): LearnedFacts['readHealth'] {
  const kept = new Map<string, { readonly atMs: number; readonly health: HealthByBin }>();
  return async (merchantIds, from, at) => {
    const isFresh = (id: string) => {
      const atMs = kept.get(id)?.atMs;
      return atMs !== undefined && Math.abs(at.getTime() - atMs) < healthTtlMs;
    };
    const stale = merchantIds.filter((id) => !isFresh(id));
    if (stale.length > 0) {
      const found = await read(stale, from, at);
      for (const id of stale) {
        kept.set(id, { atMs: at.getTime(), health: found.get(id) ?? new Map() });
      }
    }
    return new Map(merchantIds.map((id) => [id, kept.get(id)?.health ?? new Map()]));
  };
}
