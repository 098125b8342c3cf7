import { dayMs } from '../../../domain/clock.ts';
import { beliefArrays, believe, meanCanPay } from '../belief/belief.ts';
import type { BeliefParameters } from '../belief/belief-parameters.ts';
import { type PaydayMove, withKnownPast } from '../features/known-past.ts';
import { type HolidayCalendar, localHour } from '../local-time.ts';
import { lastTryMs } from '../recency.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { everyNth } from './split-rows.ts';

export interface FindMoveInput {
  /** In order of time. */
  readonly rows: readonly TrainingRow[];
  readonly calendar: HolidayCalendar;
  /** Made from the rows, or from others. */
  readonly belief: BeliefParameters;
  /** What the last model had found: it stays until the tries say otherwise. */
  readonly known?: PaydayMove | undefined;
}

/** Days by which paydays may have moved: a weekend with a holiday either way, and some. */
const maxMovedDays = 6;
const moves = Array.from({ length: 2 * maxMovedDays + 1 }, (_, at) => at - maxMovedDays).filter(
  (days) => days !== 0,
);
/** When they may have, in days before the last try: each twice as long ago as the one before. */
const agesDays = [7, 14, 28, 56] as const;
/** Then the time is looked for so finely between its neighbours, in parts of its age. */
const finerAges = [0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8] as const;
/** Tries of each stretch between two of these ages that moves are weighed by; more only sharpen what is clear. */
const maxInBand = 400;
/** Fewer tries cannot tell. */
const minSought = 100;
/**
 * By how many deviations tries must be foretold better: with a move than without, some fifty being tried;
 * by other days than the known move's; and without the known one, which the policy's own tries, chosen by
 * it, speak against the less the better it is.
 */
const deviations = { found: 4, otherDays: 1, dropped: 1 } as const;

interface Found {
  readonly ageDays: number;
  readonly days: number;
  /**
   * By which all tries since then were foretold better, as a sum of logarithms of chances, less half of the
   * deviations that were asked for: of moves that are both sure, the one that surely gains more.
   */
  readonly gain: number;
}

/**
 * Whether the paydays of all payers moved at one time: the move with which the belief foretells the tries
 * since then best, and surely better than without; undefined where there is none. The belief alone is
 * asked: no model of the moved world is needed.
 */
export function findPaydayMove(input: FindMoveInput): PaydayMove | undefined {
  const rows = input.rows.filter(({ facts }) => facts.past.length > 0);
  const weighed = weighedRows(input, rows);
  if (weighed.rows.length < minSought) return undefined;
  const known = holds(input, weighed) ? input.known : undefined;
  const firstMs = rows[0]?.atMs ?? 0;
  const ages = agesDays.filter((ageDays) => weighed.lastMs - ageDays * dayMs > firstMs);
  const founds = ages.flatMap((ageDays) =>
    bestMove(input, weighed, { ageDays, known, least: deviations.found }),
  );
  if (known !== undefined) {
    const ageDays = (weighed.lastMs - known.sinceMs) / dayMs;
    founds.push(...bestMove(input, weighed, { ageDays, known, least: deviations.otherDays }));
  }
  const [best] = founds.sort((a, b) => b.gain - a.gain);
  return best === undefined ? known : timed(input, weighed, best);
}

/** Tries that moves are weighed by: each stands for so many of its stretch of time. */
interface WeighedRows {
  readonly rows: readonly TrainingRow[];
  readonly weights: Float64Array;
  /** The logarithms of their chances where nothing moved. */
  readonly still: Float64Array;
  readonly lastMs: number;
}

/** From each stretch alike, so that the last days count however few they are, and all moves are weighed by the same tries. */
function weighedRows(input: FindMoveInput, rows: readonly TrainingRow[]): WeighedRows {
  const { known } = input;
  const lastMs = lastTryMs(rows);
  const oldest = 2 * (agesDays.at(-1) ?? 0) * dayMs;
  const edges = [
    ...agesDays.map((age) => age * dayMs),
    oldest,
    lastMs - (known?.sinceMs ?? lastMs),
  ];
  // An edge that is not later than all before it ends no stretch of its own.
  const rising = edges.filter((to, at) => edges.slice(0, at).every((before) => before < to));
  const bands = rising.map((to) => ({ to, rows: [] as TrainingRow[] }));
  for (const row of rows) {
    const age = lastMs - row.facts.nowMs;
    bands.find(({ to }) => age < to)?.rows.push(row);
  }
  const kept: TrainingRow[] = [];
  const weights: number[] = [];
  for (const band of bands) {
    const some = band.rows.filter(everyNth(band.rows.length, maxInBand));
    kept.push(...some);
    weights.push(...some.map(() => band.rows.length / some.length));
  }
  const still = Float64Array.from(kept, (row) => logChance(input, row));
  return { rows: kept, weights: Float64Array.from(weights), still, lastMs };
}

interface AskedMove {
  readonly ageDays: number;
  /** What a move is to be better than; undefined: none. */
  readonly known: PaydayMove | undefined;
  /** By so many deviations. */
  readonly least: number;
}

/** The best move of that age, where one is surely better. */
function bestMove(
  input: FindMoveInput,
  weighed: WeighedRows,
  { ageDays, known, least }: AskedMove,
): readonly Found[] {
  const sinceMs = weighed.lastMs - ageDays * dayMs;
  const before = logChances(input, weighed, known);
  return moves
    .map((days) => {
      const after = logChances(input, weighed, { sinceMs, days });
      const { gain, deviation } = gainOf(weighed, after, before);
      return { ageDays, days, gain: gain < least * deviation ? 0 : gain - 0.5 * least * deviation };
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, 1);
}

/** Whether nothing speaks against the move that was known. */
function holds(input: FindMoveInput, weighed: WeighedRows): boolean {
  const { known } = input;
  if (known === undefined) return false;
  const moved = logChances(input, weighed, known);
  const { gain, deviation } = gainOf(weighed, weighed.still, moved);
  return deviation > 0 && gain < deviations.dropped * deviation;
}

/** The move as its time and days fit best, around those that were found. */
function timed(
  input: FindMoveInput,
  weighed: WeighedRows,
  { ageDays, days }: Found,
): PaydayMove | undefined {
  const finer = finerAges.flatMap((part) =>
    [days - 1, days, days + 1]
      .filter((moved) => moved !== 0)
      .map((moved) => ({ sinceMs: weighed.lastMs - part * ageDays * dayMs, days: moved })),
  );
  const gains = finer.map(
    (move) => gainOf(weighed, logChances(input, weighed, move), weighed.still).gain,
  );
  return finer[gains.indexOf(Math.max(...gains))];
}

/** Of each try: the logarithm of its chance; those from before a move are as they were. */
function logChances(
  input: FindMoveInput,
  { rows, still }: WeighedRows,
  paydayMove: PaydayMove | undefined,
): Float64Array {
  if (paydayMove === undefined) return still;
  return Float64Array.from(rows, (row, at) =>
    row.facts.nowMs < paydayMove.sinceMs ? (still[at] ?? 0) : logChance(input, row, paydayMove),
  );
}

const arrays = beliefArrays();

/** The logarithm of the chance that the belief gave to what came of a try. */
function logChance(
  { belief: parameters, calendar }: FindMoveInput,
  { facts, atMs, succeeded }: TrainingRow,
  paydayMove?: PaydayMove,
): number {
  const known = paydayMove === undefined ? facts : withKnownPast(facts, { paydayMove });
  const belief = believe(parameters, calendar, known, arrays);
  const hour = localHour(atMs, facts.utcOffsetMinutes);
  const funded = meanCanPay(calendar, belief, hour);
  const passing = Math.min(0.999, Math.max(0.001, funded * (1 - parameters.falseDecline)));
  return Math.log(succeeded ? passing : 1 - passing);
}

/** By how much logarithms are above others in sum, and the deviation of that. */
function gainOf(
  { weights }: WeighedRows,
  values: Float64Array,
  others: Float64Array,
): { readonly gain: number; readonly deviation: number } {
  let [gain, squares] = [0, 0];
  for (let at = 0; at < weights.length; at += 1) {
    const own = (weights[at] ?? 0) * ((values[at] ?? 0) - (others[at] ?? 0));
    gain += own;
    squares += own * own;
  }
  return { gain, deviation: Math.sqrt(squares) };
}
