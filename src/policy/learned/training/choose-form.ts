import { present } from '../../../domain/present.ts';
import { isSurelyAbove } from './choose-use.ts';
import { findPaydayMove } from './find-payday-move.ts';
import { type FitInput, type FittedForm, type Form, fitForm } from './fit-form.ts';
import { clippedWeights } from './row-weights.ts';
import { everyNth, splitRows } from './split-rows.ts';

/** Rows that the forms are compared on; more only sharpen what is clear. */
const maxRows = 15_000;
/** Fewer rows teach too little to do without a prior, or to tell. */
const minRows = 2_000;
/** Rounds of a belief that is only compared: which form is better shows long before it has settled. */
const comparedRounds = 3;

/**
 * Which form serves these rows: from the prior and with payers' past, moved where their paydays surely
 * moved, unless one without the prior, the past or both surely predicts better what is kept to choose by.
 */
export function chooseForm(prior: Form['prior'], input: FitInput): Form {
  const usual: Form = present({ prior });
  if (input.rows.length < minRows) return usual;
  const rows = input.rows.filter(everyNth(input.rows.length, maxRows));
  const compared = { ...input, rows, parts: splitRows(rows), rounds: comparedRounds };
  const { tune } = compared.parts;
  const still = fitForm(usual, compared);
  const paydayMove = findPaydayMove({
    rows: withoutPlaces(input.rows, input.parts.judge),
    calendar: input.calendar,
    belief: still.belief,
    known: input.paydayMove,
  });
  const given = paydayMove === undefined ? still : fitForm({ ...usual, paydayMove }, compared);
  return betterOf(given, othersThan(given.form, input), compared, tune).form;
}

/** What models are judged by chooses none of their parts. */
function withoutPlaces<T>(rows: readonly T[], places: Uint32Array): readonly T[] {
  const isLeft = new Uint8Array(rows.length).fill(1);
  for (const at of places) isLeft[at] = 0;
  return rows.filter((_, at) => isLeft[at] === 1);
}

/** The form that predicts rows best of those that surely predict them better; else the given one. */
function betterOf(
  given: FittedForm,
  others: readonly Form[],
  input: FitInput,
  places: Uint32Array,
): FittedForm {
  const weights = clippedWeights(input.rows);
  const losses = lossesOf(given, weights, places);
  let best = { fitted: given, gain: 0 };
  for (const form of others) {
    const fitted = fitForm(form, input);
    const own = lossesOf(fitted, weights, places);
    const gains = losses.map((loss, at) => loss - (own[at] ?? 0));
    const gain = gains.reduce((sum, value) => sum + value, 0);
    if (gain > best.gain && isSurelyAbove(gains)) best = { fitted, gain };
  }
  return best.fitted;
}

function othersThan(given: Form, { rows }: FitInput): readonly Form[] {
  const { prior, ...own } = given;
  const hasPast = rows.some(({ facts }) => facts.past.length > 0);
  const withoutPast: readonly Form[] = hasPast ? [{ ...given, ignoresPast: true }] : [];
  if (prior === undefined) return withoutPast;
  const ownToo: readonly Form[] = hasPast ? [own, { ...own, ignoresPast: true }] : [own];
  return [...withoutPast, ...ownToo];
}

/** The log loss of each row, weighed by how rarely its hour is tried, whatever its age. */
function lossesOf(
  { margins, matrix }: FittedForm,
  weights: Float32Array,
  places: Uint32Array,
): Float64Array {
  return Float64Array.from(places, (at) => {
    const margin = margins[at] ?? 0;
    const wrong = matrix.outcomes[at] === 1 ? -margin : margin;
    return (weights[at] ?? 1) * Math.log1p(Math.exp(wrong));
  });
}
