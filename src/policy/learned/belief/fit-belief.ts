import { type HolidayCalendar, localHour } from '../local-time.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';
import { adviceOf, type Belief, believe, canPayAt, eachBucket, normalise } from './belief.ts';
import {
  type BeliefParameters,
  codeClassOf,
  codesRow,
  fundings,
  groupOf,
  hypothesisCount,
  kindOf,
  laterCodes,
  normalisedByCycle,
} from './belief-parameters.ts';
import { cycleCount, fundedShares } from './pay-cycles.ts';

export interface FitBeliefInput {
  /** The last try of each payment: it holds those before it. */
  readonly rows: readonly TrainingRow[];
  readonly calendar: HolidayCalendar;
  readonly start: BeliefParameters;
  /** Payments that the start is worth, in each list of chances. */
  readonly strength: number;
  readonly rounds: number;
}

/** Learns the chances of the hypotheses from logged tries, by expectation and maximisation. */
export function fitBelief(input: FitBeliefInput): BeliefParameters {
  let parameters = input.start;
  for (let round = 0; round < input.rounds; round += 1) {
    const counts = startCounts(input.start, input.strength);
    for (const row of input.rows) countRow(parameters, input.calendar, row, counts);
    parameters = toParameters(counts);
  }
  return parameters;
}

interface Counts {
  readonly kinds: Float64Array[];
  readonly phases: Float64Array;
  readonly shares: Float64Array[];
  readonly codes: Float64Array[];
  readonly advice: Float64Array[];
  /** Charges of accounts that could pay: declined, and all. */
  falseDeclines: number;
  fundedCharges: number;
}

function startCounts(start: BeliefParameters, strength: number): Counts {
  const scaled = (list: readonly number[], by: number) =>
    Float64Array.from(list, (value) => value * by);
  return {
    kinds: start.kinds.map((list) => scaled(list, strength)),
    phases: scaled(start.phases, strength),
    shares: start.shares.map((list) => scaled(list, strength)),
    codes: start.codes.map((list) => scaled(list, strength)),
    advice: start.advice.map((list) => scaled(list, strength)),
    falseDeclines: start.falseDecline * strength,
    fundedCharges: strength,
  };
}

/** Spreads one payment over the hypotheses by what is believed after its end. */
function countRow(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  { facts, atMs, succeeded }: TrainingRow,
  counts: Counts,
): void {
  const belief = believe(parameters, calendar, facts);
  const { weights, anchorHour, context } = belief;
  const hour = localHour(atMs, facts.utcOffsetMinutes);
  const canPay = new Float64Array(hypothesisCount);
  canPayAt(calendar, anchorHour, hour, canPay);
  for (let at = 0; at < hypothesisCount; at += 1) {
    const chance = (canPay[at] ?? 0) * (1 - parameters.falseDecline);
    weights[at] = (weights[at] ?? 0) * ((succeeded ? chance : 1 - chance) + 1e-5);
  }
  normalise(weights);
  if (succeeded) counts.fundedCharges += 1;
  // A card whose funding is not known is one of all.
  const unknown = context - (context % fundings.length) + fundings.indexOf('unknown');
  for (let at = 0; at < hypothesisCount; at += 1) {
    const weight = weights[at] ?? 0;
    const kind = kindOf(at);
    add(counts.kinds[context], kind, weight);
    if (unknown !== context) add(counts.kinds[unknown], kind, weight);
    if (at >= cycleCount) continue;
    const phase = Math.floor(at / fundedShares.length);
    counts.phases[phase] = (counts.phases[phase] ?? 0) + weight;
    add(counts.shares[kind], at % fundedShares.length, weight);
  }
  countDeclines(parameters, calendar, { belief, facts }, counts);
}

/** Counts which codes and advice the hypotheses went with. */
function countDeclines(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  { belief, facts }: { belief: Belief; facts: TrainingRow['facts'] },
  counts: Counts,
): void {
  const { weights, anchorHour, context } = belief;
  const anchorMs = facts.renewedAtMs ?? facts.failedAtMs;
  const canPay = new Float64Array(hypothesisCount);
  const seen = [
    ...(facts.renewedAtMs === undefined
      ? [{ atMs: facts.failedAtMs, decline: facts.firstDecline }]
      : []),
    ...facts.tries,
  ];
  seen.forEach(({ atMs, decline }, index) => {
    if (atMs < anchorMs) return;
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const advice = adviceOf(decline);
    if (advice >= 0) {
      eachBucket({ calendar, anchorHour, hour }, (at, bucket) => {
        add(counts.advice[bucket], advice, weights[at] ?? 0);
      });
    }
    const name = codeClassOf(decline);
    const isFirst = index === 0 && facts.renewedAtMs === undefined;
    if (isFirst || name === 'technical') return;
    canPayAt(calendar, anchorHour, hour, canPay);
    const code = laterCodes.indexOf(name);
    for (let at = 0; at < hypothesisCount; at += 1) {
      const can = canPay[at] ?? 0;
      const group = groupOf(at);
      const dryRow = codesRow(context, group, false);
      const paidRow = codesRow(context, group, true);
      const dry = (1 - can) * (parameters.codes[dryRow]?.[code] ?? 0);
      const paid = can * parameters.falseDecline * (parameters.codes[paidRow]?.[code] ?? 0);
      const share = paid / (dry + paid + 1e-9);
      const weight = weights[at] ?? 0;
      add(counts.codes[dryRow], code, weight * (1 - share));
      add(counts.codes[paidRow], code, weight * share);
      counts.falseDeclines += weight * share;
      counts.fundedCharges += weight * share;
    }
  });
}

function add(list: Float64Array | undefined, at: number, value: number): void {
  if (list !== undefined) list[at] = (list[at] ?? 0) + value;
}

function toParameters(counts: Counts): BeliefParameters {
  const shares = (list: Float64Array): readonly number[] => {
    const sum = list.reduce((total, value) => total + value, 0);
    return Array.from(list, (value) => rounded(value / (sum || 1)));
  };
  return {
    kinds: counts.kinds.map(shares),
    phases: normalisedByCycle(Array.from(counts.phases)).map(rounded),
    shares: counts.shares.map(shares),
    codes: counts.codes.map(shares),
    advice: counts.advice.map(shares),
    falseDecline: rounded(counts.falseDeclines / counts.fundedCharges),
  };
}
