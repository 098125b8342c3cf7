import { dayMs } from '../../../domain/clock.ts';
import { activeCanPay, beliefArrays, believe } from '../belief/belief.ts';
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
/** Tries that a move is looked for by, and then timed by; more only sharpen what is clear. */
const [maxSought, maxTimed] = [600, 1_500];
/** Fewer tries cannot tell. */
const minSought = 100;
/**
 * By how many deviations tries must be foretold better: with a move than without, some fifty being tried;
 * by other days than the known move's; and without the known one, which the policy's own tries, chosen by
 * it, speak against the less the better it is.
 */
const deviations = { found: 4, otherDays: 2, dropped: 1 } as const;

interface Found {
  readonly ageDays: number;
  readonly days: number;
  /**
   * By which all tries since then were foretold better, as a sum of logarithms of chances, less two of its
   * deviations: of moves that are both sure, the one that surely gains more.
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
  const lastMs = lastTryMs(rows);
  const known = holds(input, rows) ? input.known : undefined;
  const founds = agesDays
    .filter((ageDays) => lastMs - ageDays * dayMs > (rows[0]?.atMs ?? lastMs))
    .flatMap((ageDays) => {
      const asked = { ageDays, known, max: maxSought, deviations: deviations.found };
      return bestMove(input, rows, asked);
    });
  if (known !== undefined) {
    const ageDays = (lastMs - known.sinceMs) / dayMs;
    const asked = { ageDays, known, max: maxTimed, deviations: deviations.otherDays };
    founds.push(...bestMove(input, rows, asked));
  }
  const [best] = founds.sort((a, b) => b.gain - a.gain);
  return best === undefined ? known : timed(input, rows, best);
}

interface AskedMove {
  readonly ageDays: number;
  /** What a move is to be better than; undefined: none. */
  readonly known: PaydayMove | undefined;
  readonly max: number;
  readonly deviations: number;
}

/** The best move of that age, where one is surely better. */
function bestMove(
  input: FindMoveInput,
  rows: readonly TrainingRow[],
  { ageDays, known, max, deviations: least }: AskedMove,
): readonly Found[] {
  const sinceMs = lastTryMs(rows) - ageDays * dayMs;
  const since = decidedSince(rows, Math.min(sinceMs, known?.sinceMs ?? sinceMs));
  const sought = since.filter(everyNth(since.length, max));
  if (sought.length < minSought) return [];
  const before = logChances(input, sought, known);
  return moves
    .map((days) => {
      const gains = differences(logChances(input, sought, { sinceMs, days }), before);
      const above = deviationsOf(gains);
      const sure = above < least ? 0 : 1 - 2 / above;
      return { ageDays, days, gain: (sure * sumOf(gains) * since.length) / sought.length };
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, 1);
}

/** Whether nothing speaks against the move that was known. */
function holds(input: FindMoveInput, rows: readonly TrainingRow[]): boolean {
  const { known } = input;
  if (known === undefined) return false;
  const since = decidedSince(rows, known.sinceMs);
  const weighed = since.filter(everyNth(since.length, maxTimed));
  const gains = differences(logChances(input, weighed), logChances(input, weighed, known));
  return weighed.length > 0 && deviationsOf(gains) < deviations.dropped;
}

function decidedSince(rows: readonly TrainingRow[], sinceMs: number): readonly TrainingRow[] {
  return rows.filter(({ facts }) => facts.nowMs >= sinceMs);
}

/** The move as its time and days fit best, around those that were found. */
function timed(
  input: FindMoveInput,
  rows: readonly TrainingRow[],
  { ageDays, days }: Found,
): PaydayMove | undefined {
  const lastMs = lastTryMs(rows);
  const around = decidedSince(rows, lastMs - 2 * ageDays * dayMs);
  const weighed = around.filter(everyNth(around.length, maxTimed));
  const finer = finerAges.flatMap((part) =>
    [days - 1, days, days + 1]
      .filter((moved) => moved !== 0)
      .map((moved) => ({ sinceMs: lastMs - part * ageDays * dayMs, days: moved })),
  );
  const sums = finer.map((move) => sumOf(logChances(input, weighed, move)));
  return finer[sums.indexOf(Math.max(...sums))];
}

/** Of each try: the logarithm of the chance that the belief gave to what came of it. */
function logChances(
  { belief: parameters, calendar }: FindMoveInput,
  rows: readonly TrainingRow[],
  paydayMove?: PaydayMove,
): Float64Array {
  const arrays = beliefArrays();
  return Float64Array.from(rows, ({ facts, atMs, succeeded }) => {
    const known = paydayMove === undefined ? facts : withKnownPast(facts, { paydayMove });
    const belief = believe(parameters, calendar, known, arrays);
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const funded = activeCanPay(calendar, belief, hour, belief.canPay);
    const passing = Math.min(0.999, Math.max(0.001, funded * (1 - parameters.falseDecline)));
    return Math.log(succeeded ? passing : 1 - passing);
  });
}

function differences(values: Float64Array, others: Float64Array): Float64Array {
  return values.map((value, at) => value - (others[at] ?? 0));
}

/** The mean of values, in deviations of it. */
function deviationsOf(values: Float64Array): number {
  const sum = sumOf(values);
  const squares = sumOf(values.map((value) => (value - sum / values.length) ** 2));
  return squares === 0 ? 0 : sum / Math.sqrt(squares);
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
