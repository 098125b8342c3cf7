import { dayMs } from '../../../domain/clock.ts';
import { present } from '../../../domain/present.ts';
import { lastTryMs, usualHalfLifeDays } from '../recency.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { isSurelyAbove } from './choose-use.ts';
import { type FitInput, type FittedForm, type Form, fitForm } from './fit-form.ts';
import { clippedWeights } from './row-weights.ts';
import { everyNth, type Parts, splitRows } from './split-rows.ts';

/** Rows that the forms are compared on; more only sharpen what is clear. */
const maxRows = 15_000;
/** Fewer rows teach too little to do without a prior, or to tell. */
const minRows = 2_000;

/** A memory for after a change, and the last days that are foretold with it and without. */
const [shortHalfLifeDays, lateDays] = [21, 7];

/**
 * Which form serves these rows: from the prior, with payers' past and a long memory, unless one without the
 * prior, the past or both surely predicts better what is kept to choose by; and with a short memory, with the past
 * or without, where that surely foretells the tries of the last week better.
 */
export function chooseForm(prior: Form['prior'], input: FitInput): Form {
  const usual: Form = {
    ...present({ prior }),
    ignoresPast: false,
    halfLifeDays: usualHalfLifeDays,
  };
  if (input.rows.length < minRows) return usual;
  const rows = input.rows.filter(everyNth(input.rows.length, maxRows));
  const compared = { ...input, rows, parts: splitRows(rows) };
  const { tune } = compared.parts;
  const fitted = fitForm(usual, compared);
  const best = betterOf(fitted, othersThan(usual, input), compared, tune);
  const shorter = { ...best.form, halfLifeDays: shortHalfLifeDays };
  // After a change payers' past is of the world before it.
  const others = best.form.ignoresPast ? [shorter] : [shorter, { ...shorter, ignoresPast: true }];
  const parts = lateParts(rows);
  const later = { ...input, rows, parts };
  return betterOf(fitForm(best.form, later), others, later, parts.judge).form;
}

/** Rows to learn from, in order of time, and the later ones of other payments. */
function lateParts(rows: readonly TrainingRow[]): Parts {
  const lateFromMs = lastTryMs(rows) - lateDays * dayMs;
  const [learn, judge]: [number[], number[]] = [[], []];
  const learned = new Set<string>();
  rows.forEach(({ facts, atMs }, at) => {
    if (atMs < lateFromMs) {
      learn.push(at);
      learned.add(facts.paymentId);
    } else if (!learned.has(facts.paymentId)) judge.push(at);
  });
  return {
    learn: Uint32Array.from(learn),
    tune: new Uint32Array(),
    judge: Uint32Array.from(judge),
  };
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

function othersThan(usual: Form, { rows }: FitInput): readonly Form[] {
  const { prior: _, ...own } = usual;
  const hasPast = rows.some(({ facts }) => facts.past.length > 0);
  return [
    ...(hasPast ? [{ ...usual, ignoresPast: true }] : []),
    ...(usual.prior === undefined ? [] : [own]),
    ...(usual.prior === undefined || !hasPast ? [] : [{ ...own, ignoresPast: true }]),
  ];
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
