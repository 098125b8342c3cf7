import { addMs, dayMs, hourMs, laterOf } from '../clock.ts';
import { present } from '../present.ts';
import type { CardAttempt, ProposedCharge } from './card-attempt.ts';
import { type Figure, inForce } from './dated.ts';
import { adviceEffect, neverAgainAdvice } from './mastercard-advice.ts';
import type { FeeAmount, NetworkFee } from './network-fee.ts';
import { type FeeRegion, feeRegionOf } from './regions.ts';
import { type Block, failed, freeAt, standingDeclines, within } from './windows.ts';

/** Declines of a card at an acceptor in 24 hours. */
export const maxMastercardDaily: readonly Figure<number>[] = [
  { value: 20, until: '2022-10-01', source: 'mastercardExcellence' },
  { value: 10, from: '2022-10-01', source: 'mastercardExcellence' },
];
export const maxMastercardDailyBrazil: readonly Figure<number>[] = [
  { value: 20, until: '2022-10-01', source: 'mastercardExcellence' },
  { value: 10, from: '2022-10-01', until: '2023-02-01', source: 'mastercardExcellence' },
  { value: 7, from: '2023-02-01', source: 'mastercardExcellence' },
];
const mastercardDailyWindowMs = 24 * hourMs;

/** Declines of a card at an acceptor in 30 days. */
export const maxMastercardMonthly: readonly Figure<number>[] = [
  { value: 35, from: '2023-11-01', source: 'mastercardExcellence' },
];
const mastercardMonthlyWindowMs = 30 * dayMs;

/** For each decline beyond a limit; a decline is never charged twice. */
export const mastercardExcessFees: Readonly<Record<FeeRegion, readonly Figure<FeeAmount>[]>> = {
  brazil: [figure(2_000_000, 'BRL')],
  economic_area: [...dollars('2024-08-01'), figure(550_000, 'EUR', '2024-08-01')],
  europe_other: [...dollars('2024-08-01'), figure(550_000, 'EUR', '2024-08-01')],
  north_america: dollars(),
  other: dollars(),
};

/** For each charge within 30 days of an advice 03 or 21. */
export const mastercardAdviceFees: Readonly<Record<FeeRegion, readonly Figure<FeeAmount>[]>> = {
  brazil: [figure(2_500_000, 'BRL')],
  economic_area: [figure(30_000, 'USD')],
  europe_other: [figure(30_000, 'USD')],
  north_america: [figure(30_000, 'USD')],
  other: [figure(30_000, 'USD')],
};

/** For each decline 51 of a recurring charge with advice 24 to 30; not told of other regions. */
export const mastercardOptimizerFees: Readonly<Record<FeeRegion, readonly Figure<FeeAmount>[]>> = {
  brazil: [],
  economic_area: [{ ...figure(4_000, 'EUR'), source: 'mastercardOptimizer' }],
  europe_other: [{ ...figure(10_000, 'EUR'), source: 'mastercardOptimizer' }],
  north_america: [{ ...figure(20_000, 'USD'), source: 'mastercardOptimizer' }],
  other: [],
};
/** The response code and the advice by which that fee is charged. */
export const optimizerCode = '51';
export const optimizerAdvice: readonly string[] = ['24', '25', '26', '27', '28', '29', '30'];

/** What Mastercard's rules have against a charge. */
export function mastercardBlocks(
  attempts: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly Block[] {
  const { at } = proposed;
  return [...adviceBlocks(attempts, proposed), ...excessBlocks(attempts, proposed)].filter(
    ({ until }) => until === undefined || until.getTime() > at.getTime(),
  );
}

function adviceBlocks(
  attempts: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly Block[] {
  const standing = standingDeclines(attempts, proposed.renewedAt);
  const blocks: Block[] = [];
  const never = standing.filter(({ adviceCode }) => adviceEffect(adviceCode).kind === 'never');
  if (never.length > 0) {
    const recent = within(never.filter(neverAgainAdvice), proposed.at, mastercardMonthlyWindowMs);
    const fees = recent.length === 0 ? [] : fee(mastercardAdviceFees, proposed);
    blocks.push({
      rule: 'mastercard.advice_never',
      fees: fees.map((amount) => ({ ...amount, rule: 'mastercard.advice_never' })),
    });
  }
  if (standing.some(({ adviceCode }) => adviceEffect(adviceCode).kind === 'spent')) {
    blocks.push({ rule: 'mastercard.advice_spent' });
  }
  const ends = standing.flatMap(({ adviceCode, at }) => {
    const effect = adviceEffect(adviceCode);
    return effect.kind === 'wait' ? [addMs(at, effect.waitMs)] : [];
  });
  const [first, ...others] = ends;
  if (first !== undefined) {
    blocks.push({ rule: 'mastercard.advice_wait', until: others.reduce(laterOf, first) });
  }
  return blocks;
}

function excessBlocks(
  attempts: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly Block[] {
  const { at } = proposed;
  const declined = attempts.filter(failed);
  const fees = (rule: NetworkFee['rule']) =>
    fee(mastercardExcessFees, proposed).map((amount) => ({ ...amount, rule }));
  const day = limit(declined, at, dailyFigures(proposed), mastercardDailyWindowMs);
  const month = limit(declined, at, maxMastercardMonthly, mastercardMonthlyWindowMs);
  return [
    ...(month === undefined ? [] : [block('mastercard.declines_30d', month, fees)]),
    ...(day === undefined ? [] : [block('mastercard.declines_24h', day, fees)]),
  ];
}

function block(
  rule: NetworkFee['rule'],
  until: Date,
  fees: (rule: NetworkFee['rule']) => readonly NetworkFee[],
): Block {
  return { rule, until, fees: fees(rule) };
}

/** When one more decline is allowed in a rolling window; undefined where it is now. */
function limit(
  declined: readonly CardAttempt[],
  at: Date,
  figures: readonly Figure<number>[],
  windowMs: number,
): Date | undefined {
  const max = inForce(figures, at)?.value;
  return max === undefined ? undefined : freeAt(within(declined, at, windowMs), max, windowMs);
}

/** A card or an acquirer of Brazil is enough: the lower limit costs nothing where it is not due. */
function dailyFigures({ issuerCountry, acquirerCountry }: ProposedCharge) {
  const isBrazil = issuerCountry === 'BR' || acquirerCountry === 'BR';
  return isBrazil ? maxMastercardDailyBrazil : maxMastercardDaily;
}

function fee(
  fees: Readonly<Record<FeeRegion, readonly Figure<FeeAmount>[]>>,
  { acquirerCountry, at }: ProposedCharge,
): readonly FeeAmount[] {
  const found = inForce(fees[feeRegionOf(acquirerCountry)], at);
  return found === undefined ? [] : [found.value];
}

/** What the advice of one decline costs, heeded or not; undefined where nothing is told. */
export function optimizerFee(acquirerCountry: string | undefined, at: Date): FeeAmount | undefined {
  return inForce(mastercardOptimizerFees[feeRegionOf(acquirerCountry)], at)?.value;
}

function figure(amountMicros: number, currency: string, from?: string): Figure<FeeAmount> {
  return {
    value: { amountMicros, currency },
    source: 'mastercardExcellence',
    ...present({ from }),
  };
}

/** The fee in dollars as it rose, to where another currency took its place. */
function dollars(until?: string): readonly Figure<FeeAmount>[] {
  const steps = [
    { at: '2022-01-01', amountMicros: 100_000 },
    { at: '2023-11-01', amountMicros: 150_000 },
    { at: '2024-01-01', amountMicros: 300_000 },
    { at: '2025-01-01', amountMicros: 500_000 },
  ].filter(({ at }) => until === undefined || at < until);
  return steps.map(({ at, amountMicros }, index) => {
    const end = steps[index + 1]?.at ?? until;
    return { ...figure(amountMicros, 'USD', at), ...present({ until: end }) };
  });
}
