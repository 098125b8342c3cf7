import type { CoverageModel } from '../coverage/coverage-model.ts';
import { countCoverage } from '../coverage/train-coverage.ts';
import {
  chanceInColumns,
  columnsAt,
  type TriesInColumns,
  triesInColumns,
} from '../coverage/tries-in-columns.ts';
import { featureCount } from '../features/feature-names.ts';
import type { PaydayMove } from '../features/known-past.ts';
import { type HolidayCalendar, localHour } from '../local-time.ts';
import { chanceOfTry } from '../open-planner.ts';
import { modelSchema, type PolicyModel } from '../policy-model.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { boostedMargin } from '../scoring/boosted-trees.ts';
import { type BoostingOptions, boost, defaultBoosting } from './boosting.ts';
import { chooseForm } from './choose-form.ts';
import { chooseUse } from './choose-use.ts';
import { fitForm } from './fit-form.ts';
import type { Matrix } from './logistic.ts';
import { decisionValue, type ModelMetrics, measure } from './metrics.ts';
import { clippedWeights } from './row-weights.ts';
import { splitRows } from './split-rows.ts';

export interface TrainOptions {
  readonly version: string;
  readonly calendar: HolidayCalendar;
  /** The model to begin from: the shipped one, or a market's. */
  readonly prior?: PolicyModel;
  /** Payments that the prior's belief is worth. */
  readonly priorPayments?: number;
  /** Of the model in use: what it had found stays until the tries say otherwise. */
  readonly paydayMove?: PaydayMove | undefined;
  readonly boosting?: Partial<BoostingOptions>;
  /** Nothing is learned from what is held out: for models that are to be judged by it. */
  readonly keepsHeldOut?: boolean;
  /** What plans, whichever predicts better: to compare them. */
  readonly use?: PolicyModel['use'];
}

/** Trees that are added to the prior's: each costs time in every plan. */
const ownTrees = 12;
/** Fewer tries cannot tell whether trees help. */
const minJudged = 150;

/**
 * Trains a model on logged tries. Rows of unequal propensity are weighted by its inverse, so that the
 * model is of all slots, not of those that the policy liked. The same rows, whatever their order,
 * give the same model. Throws RangeError for no rows.
 */
export function trainModel(rows: readonly TrainingRow[], options: TrainOptions): PolicyModel {
  if (rows.length === 0) throw new RangeError('there is nothing to train on');
  const sorted = [...rows].sort(inTime);
  const parts = splitRows(sorted);
  const { calendar, priorPayments, paydayMove } = options;
  const input = { rows: sorted, parts, calendar, priorPayments, paydayMove };
  const form = chooseForm(options.prior, input);
  const { prior, ...pastUse } = form;
  const { matrix, margins, belief, encodings, usualAmounts, logistic } = fitForm(form, input);
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
  const tries = triesInColumns(sorted);
  const coverage = countCoverage(columnsAt(tries, parts.learn));
  const judged = {
    coverage: measureCoverage(coverage, tries, parts.judge, matrix),
    logistic: measured(matrix, parts.judge, margins),
    boosted: measured(matrix, parts.judge, whole),
  };
  const model: PolicyModel = {
    schema: modelSchema,
    version: options.version,
    belief,
    encodings,
    usualAmounts,
    logistic,
    trees,
    coverage,
    ...pastUse,
    use: options.use ?? winner(judged, options.prior),
    rows: rows.length,
    metrics: judged,
  };
  const held = Array.from(parts.judge, (at) => sorted[at]).filter((row) => row !== undefined);
  const use = options.use ?? chooseUse(model, held, calendar);
  // Once it is chosen, what was held out is learned from too: it has few numbers to overfit with.
  return {
    ...model,
    use,
    ...(options.keepsHeldOut !== true && { coverage: countCoverage(tries) }),
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

function measured(matrix: Matrix, places: Uint32Array, margins: Float64Array): ModelMetrics {
  return measure(
    Float64Array.from(places, (at) => 1 / (1 + Math.exp(-(margins[at] ?? 0)))),
    Uint8Array.from(places, (at) => matrix.outcomes[at] ?? 0),
    Float32Array.from(places, (at) => matrix.weights[at] ?? 1),
  );
}

function measureCoverage(
  coverage: CoverageModel,
  tries: TriesInColumns,
  places: Uint32Array,
  { outcomes, weights }: Matrix,
): ModelMetrics {
  return measure(
    Float64Array.from(places, (at) => chanceInColumns(coverage, tries, at)),
    Uint8Array.from(places, (at) => outcomes[at] ?? 0),
    Float32Array.from(places, (at) => weights[at] ?? 1),
  );
}
