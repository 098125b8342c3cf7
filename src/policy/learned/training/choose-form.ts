import { present } from '../../../domain/present.ts';
import { isSurelyAbove } from './choose-use.ts';
import { type FitInput, type FittedForm, type Form, fitForm } from './fit-form.ts';
import { everyNth, splitRows } from './split-rows.ts';

/** Rows that the forms are compared on; more only sharpen what is clear. */
const maxRows = 15_000;
/** Fewer rows teach too little to do without a prior, or to tell. */
const minRows = 2_000;

/**
 * Which form serves these rows: from the prior and with payers' past, unless one without the prior, without
 * the past, or without both surely predicts better what is kept to choose by.
 */
export function chooseForm(prior: Form['prior'], input: FitInput): Form {
  const usual: Form = { ...present({ prior }), ignoresPast: false };
  if (input.rows.length < minRows) return usual;
  const others = othersThan(usual, input);
  if (others.length === 0) return usual;
  const rows = input.rows.filter(everyNth(input.rows.length, maxRows));
  const compared = { ...input, rows, parts: splitRows(rows) };
  const usualLosses = lossesOf(fitForm(usual, compared), compared.parts.tune);
  const best = others
    .map((form) => {
      const losses = lossesOf(fitForm(form, compared), compared.parts.tune);
      return { form, gains: usualLosses.map((loss, at) => loss - (losses[at] ?? 0)) };
    })
    .filter(({ gains }) => isSurelyAbove(gains))
    .reduce<{ form: Form; gains: Float64Array } | undefined>(
      (top, item) => (top !== undefined && sumOf(top.gains) >= sumOf(item.gains) ? top : item),
      undefined,
    );
  return best?.form ?? usual;
}

function othersThan({ prior }: Form, { rows }: FitInput): readonly Form[] {
  const hasPast = rows.some(({ facts }) => facts.past.length > 0);
  const forms: Form[] = hasPast ? [{ ...present({ prior }), ignoresPast: true }] : [];
  if (prior === undefined) return forms;
  forms.push({ ignoresPast: false });
  if (hasPast) forms.push({ ignoresPast: true });
  return forms;
}

/** The weighted log loss of each row. */
function lossesOf({ margins, matrix }: FittedForm, places: Uint32Array): Float64Array {
  return Float64Array.from(places, (at) => {
    const margin = margins[at] ?? 0;
    const wrong = matrix.outcomes[at] === 1 ? -margin : margin;
    return (matrix.weights[at] ?? 1) * Math.log1p(Math.exp(wrong));
  });
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
