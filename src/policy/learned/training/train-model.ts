import { beliefArrays, believe } from '../belief/belief.ts';
import { type BeliefParameters, startBelief } from '../belief/belief-parameters.ts';
import { fitBelief } from '../belief/fit-belief.ts';
import { type CoverageModel, coverageChance, coverageFacts } from '../coverage/coverage-model.ts';
import { trainCoverage } from '../coverage/train-coverage.ts';
import { type RunningEncodings, runningEncodings } from '../features/encodings.ts';
import { featureCount } from '../features/feature-names.ts';
import { featureArrays, prepareFacts, slotFeatures } from '../features/features.ts';
import { type UsualAmounts, usualAmountsOf } from '../features/usual-amounts.ts';
import { unitOf } from '../hash.ts';
import { type HolidayCalendar, localHour } from '../local-time.ts';
import { chanceOfTry } from '../open-planner.ts';
import { modelSchema, type PolicyModel } from '../policy-model.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { boostedMargin } from '../scoring/boosted-trees.ts';
import { logisticMargin } from '../scoring/logistic-model.ts';
import { type BoostingOptions, boost, defaultBoosting } from './boosting.ts';
import { chooseUse } from './choose-use.ts';
import { fitLogistic, type Matrix } from './logistic.ts';
import { decisionValue, type ModelMetrics, measure } from './metrics.ts';

export interface TrainOptions {
  readonly version: string;
  readonly calendar: HolidayCalendar;
  /** The model to begin from: the shipped one, or a market's. */
  readonly prior?: PolicyModel;
  /** Payments that the prior's belief is worth. */
  readonly priorPayments?: number;
  readonly boosting?: Partial<BoostingOptions>;
  /** Nothing is learned from what is held out: for models that are to be judged by it. */
  readonly keepsHeldOut?: boolean;
  /** What plans, whichever predicts better: to compare them. */
  readonly use?: PolicyModel['use'];
}

/** Payments of ten: 7 to learn from, 1 to choose the number of trees, 2 held out to be judged by. */
const [learnTo, tuneTo] = [0.7, 0.8];
/** Above so many, every second, third, … payment is learned from; enough for so few parameters. */
const maxBeliefPayments = 22_000;
const maxLogisticRows = 110_000;
const beliefRounds = 8;
/** Pulls of the coefficients: to 0, or to the prior's, where some dozen rows shall not undo them all. */
const [ownPenalty, priorPenalty] = [5, 300];
/** Trees that are added to the prior's: each costs time in every plan. */
const ownTrees = 12;
/** Fewer tries cannot tell whether trees help. */
const minJudged = 150;
/** No try counts more than so many times the median, however rarely it would have been made. */
const maxWeight = 5;

/**
 * Trains a model on logged tries. Rows of unequal propensity are weighted by its inverse, so that the
 * model is of all slots, not of those that the policy liked. The same rows, whatever their order,
 * give the same model. Throws RangeError for no rows.
 */
export function trainModel(rows: readonly TrainingRow[], options: TrainOptions): PolicyModel {
  if (rows.length === 0) throw new RangeError('there is nothing to train on');
  const sorted = [...rows].sort(inTime);
  const parts = splitRows(sorted);
  const { prior, calendar } = options;
  const belief = fitBelief({
    rows: lastTries(sorted, parts.learn),
    calendar,
    start: prior?.belief ?? startBelief(),
    strength: prior === undefined ? 20 : (options.priorPayments ?? 200),
    rounds: beliefRounds,
  });
  const running = runningEncodings();
  const usualAmounts = usualAmountsOf(sorted.map(({ facts }) => facts));
  const matrix = toMatrix(sorted, { belief, calendar, running, usualAmounts });
  const logistic = fitLogistic(matrix, thinned(parts.learn, maxLogisticRows), {
    penalty: prior === undefined ? ownPenalty : priorPenalty,
    ...(prior !== undefined && { start: prior.logistic }),
  });
  const margins = Float64Array.from(sorted, (_, at) =>
    logisticMargin(logistic, matrix.values, at * featureCount),
  );
  const before = prior?.trees ?? [];
  const raised = margins.map(
    (margin, at) => margin + boostedMargin(before, matrix.values, at * featureCount),
  );
  const maxTrees = prior === undefined ? defaultBoosting.trees : ownTrees;
  const boosting = { ...defaultBoosting, trees: maxTrees, ...options.boosting };
  const grown =
    parts.tune.length < minJudged
      ? []
      : boost({
          matrix,
          rows: parts.learn,
          tuneRows: parts.tune,
          margins: raised,
          options: boosting,
        });
  const trees = [...before, ...grown];
  const whole = raised.map(
    (margin, at) => margin + boostedMargin(grown, matrix.values, at * featureCount),
  );
  const coverage = trainCoverage(
    Array.from(parts.learn, (at) => sorted[at]).filter((row) => row !== undefined),
  );
  const judged = {
    coverage: measureCoverage(coverage, sorted, parts.judge, matrix),
    logistic: measured(matrix, parts.judge, margins),
    boosted: measured(matrix, parts.judge, whole),
  };
  const model: PolicyModel = {
    schema: modelSchema,
    version: options.version,
    belief,
    encodings: running.at(sorted.at(-1)?.facts.nowMs ?? 0),
    usualAmounts,
    logistic,
    trees,
    coverage,
    use: options.use ?? winner(judged, prior),
    rows: rows.length,
    metrics: judged,
  };
  const held = Array.from(parts.judge, (at) => sorted[at]).filter((row) => row !== undefined);
  const use = options.use ?? chooseUse(model, held, calendar);
  // Once it is chosen, what was held out is learned from too: it has few numbers to overfit with.
  return {
    ...model,
    use,
    ...(options.keepsHeldOut !== true && { coverage: trainCoverage(sorted) }),
  };
}

/** Which form of the belief; too few held-out tries leave it as the prior has it. */
function winner(
  { logistic, boosted }: PolicyModel['metrics'],
  prior: PolicyModel | undefined,
): PolicyModel['use'] {
  if (logistic.rows < minJudged) return prior?.use ?? 'logistic';
  return boosted.logLoss < logistic.logLoss ? 'boosted' : 'logistic';
}

function inTime(a: TrainingRow, b: TrainingRow): number {
  return (
    a.atMs - b.atMs ||
    (a.facts.paymentId < b.facts.paymentId ? -1 : Number(a.facts.paymentId > b.facts.paymentId))
  );
}

interface Parts {
  readonly learn: Uint32Array;
  readonly tune: Uint32Array;
  readonly judge: Uint32Array;
}

/** Whether models are judged by a payment's tries, and never made from them. */
export function isHeldOut(paymentId: string): boolean {
  return unitOf(paymentId, 'split') >= tuneTo;
}

/** How well a model predicts held-out tries, and what choosing among them by it is worth. */
export interface JudgedModel extends ModelMetrics {
  /** Share of successes if only the half of the tries that it likes best were made. */
  readonly decisionValue: number;
}

/**
 * How well a model predicts logged tries: give it rows that are held out, and compare the same ones.
 */
export function judgeModel(
  model: PolicyModel,
  rows: readonly TrainingRow[],
  calendar: HolidayCalendar,
): JudgedModel {
  const chances = Float64Array.from(rows, ({ facts, atMs }) =>
    chanceOfTry(model, calendar, facts, localHour(atMs, facts.utcOffsetMinutes)),
  );
  const outcomes = Uint8Array.from(rows, ({ succeeded }) => (succeeded ? 1 : 0));
  const weights = clippedWeights(rows);
  return {
    ...measure(chances, outcomes, weights),
    decisionValue: decisionValue({ chances, outcomes, weights }),
  };
}

/** By payment, so that no payment is judged by its own tries. */
function splitRows(rows: readonly TrainingRow[]): Parts {
  const [learn, tune, judge]: [number[], number[], number[]] = [[], [], []];
  rows.forEach(({ facts }, at) => {
    const unit = unitOf(facts.paymentId, 'split');
    (unit < learnTo ? learn : unit < tuneTo ? tune : judge).push(at);
  });
  return {
    learn: Uint32Array.from(learn),
    tune: Uint32Array.from(tune),
    judge: Uint32Array.from(judge),
  };
}

function lastTries(rows: readonly TrainingRow[], places: Uint32Array): readonly TrainingRow[] {
  const last = new Map<string, TrainingRow>();
  for (const at of places) {
    const row = rows[at];
    if (row !== undefined) last.set(row.facts.paymentId, row);
  }
  const all = [...last.values()];
  return all.filter(everyNth(all.length, maxBeliefPayments));
}

function thinned(places: Uint32Array, max: number): Uint32Array {
  return places.filter(everyNth(places.length, max));
}

/** Whether an item stays, by its place, where no more than so many shall, spread over all. */
function everyNth(count: number, max: number): (item: unknown, at: number) => boolean {
  const step = Math.ceil(count / max);
  return (_, at) => at % step === 0;
}

interface MatrixInput {
  readonly belief: BeliefParameters;
  readonly calendar: HolidayCalendar;
  readonly running: RunningEncodings;
  readonly usualAmounts: UsualAmounts;
}

function toMatrix(rows: readonly TrainingRow[], input: MatrixInput): Matrix {
  const { belief: parameters, calendar, running, usualAmounts } = input;
  const values = new Float32Array(rows.length * featureCount);
  const outcomes = new Uint8Array(rows.length);
  const { falseDecline } = parameters;
  const { encodeAt: encodingOf } = running;
  const [beliefs, arrays] = [beliefArrays(), featureArrays()];
  rows.forEach(({ facts, atMs, succeeded }, at) => {
    const belief = believe(parameters, calendar, facts, beliefs);
    const prepared = prepareFacts({
      facts,
      belief,
      calendar,
      falseDecline,
      encodingOf,
      usualAmounts,
      arrays,
    });
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const expected = slotFeatures(prepared, hour, values, at * featureCount);
    running.add(facts, atMs, succeeded, expected);
    outcomes[at] = succeeded ? 1 : 0;
  });
  return { values, columns: featureCount, outcomes, weights: clippedWeights(rows) };
}

/** The inverse of each propensity, against their median, within bounds. */
function clippedWeights(rows: readonly TrainingRow[]): Float32Array {
  const weights = Float32Array.from(rows, ({ propensity }) => 1 / Math.max(propensity, 1e-6));
  const middle = Float32Array.from(weights).sort()[Math.floor(rows.length / 2)] ?? 1;
  return weights.map((weight) => Math.min(maxWeight, weight / middle));
}

function measured(matrix: Matrix, places: Uint32Array, margins: Float64Array): ModelMetrics {
  return measure(
    Float64Array.from(places, (at) => 1 / (1 + Math.exp(-(margins[at] ?? 0)))),
    Uint8Array.from(places, (at) => matrix.outcomes[at] ?? 0),
    Float32Array.from(places, (at) => matrix.weights[at] ?? 1),
  );
}

function measureCoverage(
  coverage: CoverageModel,
  rows: readonly TrainingRow[],
  places: Uint32Array,
  { outcomes, weights }: Matrix,
): ModelMetrics {
  const chances = Float64Array.from(places, (at) => {
    const row = rows[at];
    if (row === undefined) return 0;
    const hour = localHour(row.atMs, row.facts.utcOffsetMinutes);
    return coverageChance(coverage, coverageFacts(row.facts), hour);
  });
  return measure(
    chances,
    Uint8Array.from(places, (at) => outcomes[at] ?? 0),
    Float32Array.from(places, (at) => weights[at] ?? 1),
  );
}
