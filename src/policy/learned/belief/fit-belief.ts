import { dayOfHour, type HolidayCalendar, localHour } from '../local-time.ts';
import { lastTryMs, recencyOf } from '../recency.ts';
import type { RetryFacts, TrainingRow } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';
import {
  type BeliefArrays,
  beliefArrays,
  canPayAt,
  declineChances,
  fundsBuckets,
  weighEvidence,
} from './belief.ts';
import {
  type BeliefParameters,
  codesRow,
  fundings,
  groupBounds,
  hypothesisCount,
  missedBucket,
  missedBuckets,
  normalisedByCycle,
} from './belief-parameters.ts';
import { believedDay } from './believed-day.ts';
import { type Evidence, evidenceOf, type SeenDecline } from './evidence.ts';
import { readPastSigns } from './past-signs.ts';
import { cycleCount, cycleNames, cyclePhases, fundedShares } from './pay-cycles.ts';

export interface FitBeliefInput {
  /** The last try of each payment: it holds those before it. */
  readonly rows: readonly TrainingRow[];
  readonly calendar: HolidayCalendar;
  readonly start: BeliefParameters;
  /** Payments that the start is worth, in each list of chances. */
  readonly strength: number;
  readonly rounds: number;
}

/** One payment's logged end, and what was seen before it. */
interface Ended {
  readonly facts: RetryFacts;
  /** Of its last try, and whether that succeeded. */
  readonly hour: number;
  readonly succeeded: boolean;
  /** From 0 to 1: what its age leaves of its word. */
  readonly weight: number;
}

interface Reckoning {
  readonly parameters: BeliefParameters;
  readonly calendar: HolidayCalendar;
  readonly arrays: BeliefArrays;
}

/** Learns the chances of the hypotheses from logged tries, by expectation and maximisation. */
export function fitBelief(input: FitBeliefInput): BeliefParameters {
  const { calendar } = input;
  const arrays = beliefArrays();
  const lastMs = lastTryMs(input.rows);
  const payments = input.rows.map((row) => ({
    facts: row.facts,
    hour: localHour(row.atMs, row.facts.utcOffsetMinutes),
    succeeded: row.succeeded,
    weight: recencyOf(row, lastMs),
  }));
  let parameters = input.start;
  for (let round = 0; round < input.rounds; round += 1) {
    const counts = startCounts(input.start, input.strength);
    for (const payment of payments) countPayment({ parameters, calendar, arrays }, payment, counts);
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
  /** Tries where a rhythm should have had money: by `missedBucket`, those where it had none, and all. */
  readonly missed: Float64Array;
  readonly due: Float64Array;
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
    missed: scaled(start.missed, strength),
    due: new Float64Array(missedBuckets).fill(strength),
  };
}

/** Spreads one payment over the hypotheses by what is believed after its end. */
function countPayment(reckoning: Reckoning, payment: Ended, counts: Counts): void {
  const { parameters, calendar, arrays } = reckoning;
  const { facts, hour, succeeded, weight } = payment;
  // Read again in each round: once kept, V8 would take what is read of every try after it for what lives long.
  const evidence = evidenceOf(facts);
  const { weights, canPay } = arrays;
  readPastSigns(facts, arrays.past);
  weighEvidence(parameters, calendar, evidence, arrays);
  canPayAt({ parameters, calendar }, evidence.anchorHour, hour, canPay);
  const { falseDecline } = parameters;
  const passable = 1 - falseDecline;
  let sum = 0;
  for (let at = 0; at < hypothesisCount; at += 1) {
    const chance = (canPay[at] ?? 0) * passable;
    const left = (weights[at] ?? 0) * ((succeeded ? chance : 1 - chance) + 1e-5);
    weights[at] = left;
    sum += left;
  }
  for (let at = 0; at < hypothesisCount; at += 1) {
    weights[at] = ((weights[at] ?? 0) / (sum || 1)) * weight;
  }
  if (succeeded) counts.fundedCharges += weight;
  countMissed(reckoning, hour, succeeded ? passing : { dry: 1, paid: falseDecline }, counts);
  countHypotheses(weights, evidence.context, counts);
  if (evidence.first !== undefined) countAdvice(reckoning, evidence, evidence.first, counts);
  for (const seen of evidence.tries) {
    countAdvice(reckoning, evidence, seen, counts);
    countCode(reckoning, evidence, seen, counts);
  }
}

function countHypotheses(weights: Float64Array, context: number, counts: Counts): void {
  const byKind = new Float64Array(cycleNames.length);
  const shares = fundedShares.length;
  for (let phase = 0; phase < cyclePhases.length; phase += 1) {
    const cycle = phaseCycles[phase] ?? 0;
    const lasting = counts.shares[cycle];
    let sum = 0;
    for (let share = 0; share < shares; share += 1) {
      const weight = weights[phase * shares + share] ?? 0;
      sum += weight;
      add(lasting, share, weight);
    }
    add(counts.phases, phase, sum);
    add(byKind, cycle, sum);
  }
  // A card whose funding is not known is one of all.
  const unknown = context - (context % fundings.length) + fundings.indexOf('unknown');
  addByKind(counts.kinds[context], byKind, weights);
  if (unknown !== context) addByKind(counts.kinds[unknown], byKind, weights);
}

const phaseCycles = Uint8Array.from(cyclePhases, ({ cycle }) => cycle);

function addByKind(
  list: Float64Array | undefined,
  byCycle: Float64Array,
  weights: Float64Array,
): void {
  for (let cycle = 0; cycle < byCycle.length; cycle += 1) add(list, cycle, byCycle[cycle] ?? 0);
  for (let at = cycleCount; at < hypothesisCount; at += 1) {
    add(list, byCycle.length + at - cycleCount, weights[at] ?? 0);
  }
}

/** Counts which advice the hypotheses went with. */
function countAdvice(
  { calendar, arrays }: Reckoning,
  { anchorHour }: Evidence,
  { hour, advice }: SeenDecline,
  counts: Counts,
): void {
  if (advice < 0) return;
  const { weights, buckets } = arrays;
  fundsBuckets(calendar, anchorHour, hour, buckets);
  for (let at = 0; at < hypothesisCount; at += 1) {
    add(counts.advice[buckets[at] ?? 0], advice, weights[at] ?? 0);
  }
}

/** How likely what came of a try is, of an account that could not pay and of one that could. */
interface Likelihood {
  readonly dry: number;
  readonly paid: number;
}

const passing: Likelihood = { dry: 0, paid: 1 };

/** Counts how often the rhythms should have had money at a try, and had none. */
function countMissed(
  { parameters, calendar, arrays }: Reckoning,
  hour: number,
  { dry, paid }: Likelihood,
  counts: Counts,
): void {
  const { funded, daysSincePayday } = believedDay(parameters, calendar, dayOfHour(hour)).of;
  const { weights } = arrays;
  const shares = fundedShares.length;
  for (let phase = 0; phase < daysSincePayday.length; phase += 1) {
    const bucket = missedBucket(daysSincePayday[phase] ?? 0);
    const missed = parameters.missed[bucket] ?? 0;
    let missingSum = 0;
    let thereSum = 0;
    for (let at = phase * shares; at < (phase + 1) * shares; at += 1) {
      const due = funded[at] ?? 0;
      const missing = due * missed * dry;
      const there = due * (1 - missed) * paid;
      const weight = (weights[at] ?? 0) / ((1 - due) * dry + missing + there + 1e-9);
      missingSum += weight * missing;
      thereSum += weight * there;
    }
    add(counts.missed, bucket, missingSum);
    add(counts.due, bucket, missingSum + thereSum);
  }
}

/** Counts which codes of later declines the hypotheses went with. */
function countCode(
  { parameters, calendar, arrays }: Reckoning,
  { anchorHour, context }: Evidence,
  { hour, code }: SeenDecline,
  counts: Counts,
): void {
  if (code < 0) return;
  const { weights, canPay } = arrays;
  countMissed(
    { parameters, calendar, arrays },
    hour,
    declineChances(parameters, { context, group: 0, code }),
    counts,
  );
  canPayAt({ parameters, calendar }, anchorHour, hour, canPay);
  for (let group = 0; group < groupBounds.length; group += 1) {
    const { from = 0, to = 0 } = groupBounds[group] ?? {};
    const { dry, paid } = declineChances(parameters, { context, group, code });
    let dryWeight = 0;
    let paidWeight = 0;
    for (let at = from; at < to; at += 1) {
      const can = canPay[at] ?? 0;
      const passing = can * paid;
      const share = passing / ((1 - can) * dry + passing + 1e-9);
      const weight = weights[at] ?? 0;
      dryWeight += weight * (1 - share);
      paidWeight += weight * share;
    }
    add(counts.codes[codesRow(context, group, false)], code, dryWeight);
    add(counts.codes[codesRow(context, group, true)], code, paidWeight);
    counts.falseDeclines += paidWeight;
    counts.fundedCharges += paidWeight;
  }
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
    missed: Array.from(counts.missed, (count, at) => rounded(count / (counts.due[at] ?? 1))),
  };
}
