import { startBelief } from '../belief/belief-parameters.ts';
import { fitBelief } from '../belief/fit-belief.ts';
import { runningEncodings } from '../features/encodings.ts';
import { featureCount } from '../features/feature-names.ts';
import { type PastUse, type PaydayMove, withKnownPast } from '../features/known-past.ts';
import { usualAmountsOf } from '../features/usual-amounts.ts';
import type { HolidayCalendar } from '../local-time.ts';
import type { PolicyModel } from '../policy-model.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { logisticMargin } from '../scoring/logistic-model.ts';
import { featureMatrix } from './feature-matrix.ts';
import { fitLogistic, type Matrix } from './logistic.ts';
import { everyNth, type Parts } from './split-rows.ts';

/** What a belief and its logistic model are made with. */
export interface Form extends PastUse {
  /** The model to begin from; absent: nothing. */
  readonly prior?: PolicyModel;
}

export interface FitInput {
  /** In order of time. */
  readonly rows: readonly TrainingRow[];
  readonly parts: Parts;
  readonly calendar: HolidayCalendar;
  /** Payments that the prior's belief is worth. */
  readonly priorPayments?: number | undefined;
  /** As the model in use has it. */
  readonly paydayMove?: PaydayMove | undefined;
  /** Of the belief's learning; absent: until it has settled. */
  readonly rounds?: number;
}

/** A belief and its logistic model, and what they say of all rows. */
export interface FittedForm
  extends Pick<PolicyModel, 'belief' | 'encodings' | 'usualAmounts' | 'logistic'> {
  readonly form: Form;
  readonly matrix: Matrix;
  /** The log odds of each row. */
  readonly margins: Float64Array;
}

/** Above so many, every second, third, … payment is learned from; enough for so few parameters. */
const maxBeliefPayments = 22_000;
const maxLogisticRows = 110_000;
/** Of expectation and maximisation; with more, tries that are held out are foretold no better. */
const settledRounds = 5;
/** Pulls of the coefficients: to 0, or to the prior's, where some dozen rows shall not undo them all. */
const [ownPenalty, priorPenalty] = [5, 300];
/** Payments that a belief is worth before anything is seen: made for no market, or the prior's. */
const [ownPayments, priorPayments] = [20, 200];

/** Fits one form to the rows to learn from. The same input gives the same form. */
export function fitForm(form: Form, input: FitInput): FittedForm {
  const { parts, calendar } = input;
  const { prior } = form;
  const rows = input.rows.map((row) => {
    const facts = withKnownPast(row.facts, form);
    return facts === row.facts ? row : { ...row, facts };
  });
  const belief = fitBelief({
    rows: lastTries(rows, parts.learn),
    calendar,
    start: prior?.belief ?? startBelief(),
    strength: prior === undefined ? ownPayments : (input.priorPayments ?? priorPayments),
    rounds: input.rounds ?? settledRounds,
  });
  const running = runningEncodings();
  const usualAmounts = usualAmountsOf(rows.map(({ facts }) => facts));
  const matrix = featureMatrix(rows, { belief, calendar, running, usualAmounts });
  const learn = parts.learn.filter(everyNth(parts.learn.length, maxLogisticRows));
  const logistic = fitLogistic(matrix, learn, {
    penalty: prior === undefined ? ownPenalty : priorPenalty,
    ...(prior !== undefined && { start: prior.logistic }),
  });
  const margins = Float64Array.from(rows, (_, at) =>
    logisticMargin(logistic, matrix.values, at * featureCount),
  );
  const encodings = running.at(rows.at(-1)?.facts.nowMs ?? 0);
  return { form, belief, encodings, usualAmounts, logistic, matrix, margins };
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
