import type { Dated, Figure } from './dated.ts';
import { inForce } from './dated.ts';
import type { VisaRegion } from './regions.ts';

/** Visa's categories: 1 never again, 2 not now, 3 after new data, 4 every other decline. */
export type VisaCategory = 1 | 2 | 3 | 4;

interface CategoryFigure extends Figure<VisaCategory> {
  /** Where it holds; everywhere when left out. */
  readonly regions?: readonly VisaRegion[];
}

/**
 * The codes that are, or were, in another category than 4. `from` and `until` say when; outside of
 * them a code is in category 4, as every other decline is.
 */
export const visaCategories: Readonly<Record<string, readonly CategoryFigure[]>> = {
  ...always(1, ['04', '07', '12', '15', '41', '43', '46', 'R0', 'R1', 'R3']),
  '14': [
    {
      value: 1,
      source: 'visaRules',
      why: 'In categories 1 and 3 from 17 April 2021 to 13 April 2024; the stricter one is kept.',
    },
  ],
  '57': [
    { value: 1, until: '2025-10-01', source: 'visaRules' },
    {
      value: 4,
      from: '2025-10-01',
      until: '2026-10-25',
      source: 'checkoutRewrite',
      why: 'Visa rewrites it to 05 in these months; the day in October 2025 is not published.',
    },
    { value: 1, from: '2026-10-25', source: 'checkoutRewrite' },
  ],
  ...moved('2021-04-17', 1, 2, 'visaBulletin', ['03', '62', '78', '93']),
  ...moved('2024-04-13', 4, 2, 'braintreeVisa', ['39', '52', '53', 'Z5']),
  ...moved('2025-04-11', 4, 2, 'cieloVisa', ['5C', '9G']),
  '83': [
    { value: 4, until: '2026-07-25', source: 'visaRules' },
    {
      value: 2,
      from: '2026-07-25',
      source: 'visaRules',
      why: 'TabaPay says 25 October 2026; the copy of the rules is nearer to Visa.',
    },
  ],
  ...always(2, ['19', '51', '59', '61', '65', '75', '86', '91', '96', 'N3', 'N4']),
  ...always(3, ['54', '55', '82', '6P', 'N7']),
  '70': [{ value: 3, regions: ['europe', 'cemea'], source: 'visaRules' }],
  '1A': [{ value: 3, regions: ['europe', 'cemea'], source: 'visaRules' }],
};

/** Visa's category of a response code at a time; `region` is the one of the acquirer. */
export function visaCategory(code: string, region: VisaRegion | undefined, at: Date): VisaCategory {
  const key = code.trim().toUpperCase().padStart(2, '0');
  const figures = Object.hasOwn(visaCategories, key) ? (visaCategories[key] ?? []) : [];
  const here = figures.filter(
    ({ regions }) => regions === undefined || (region !== undefined && regions.includes(region)),
  );
  return inForce(here, at)?.value ?? 4;
}

function always(value: VisaCategory, codes: readonly string[]) {
  return each(codes, [{ value, source: 'visaRules' }]);
}

function moved(
  date: NonNullable<Dated['from']>,
  before: VisaCategory,
  value: VisaCategory,
  source: CategoryFigure['source'],
  codes: readonly string[],
) {
  return each(codes, [
    { value: before, until: date, source },
    { value, from: date, source },
  ]);
}

function each(codes: readonly string[], figures: readonly CategoryFigure[]) {
  return Object.fromEntries(codes.map((code) => [code, figures]));
}
