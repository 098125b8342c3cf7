import { weightedSum } from '../../weighted-sum.ts';
import { dayOfHour, type HolidayCalendar } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';
import {
  adviceBucket,
  type BeliefParameters,
  codesRow,
  contextCount,
  firstRamp,
  groupBounds,
  groupOf,
  hypothesisCount,
  kindOf,
  never,
  rampCount,
  rampEdgesHours,
} from './belief-parameters.ts';
import { type BelievedCalendar, believedDay } from './believed-day.ts';
import { type Evidence, evidenceOf, type SeenDecline } from './evidence.ts';
import { weighPast } from './past-evidence.ts';
import { maxPastSigns, type PastSigns, readPastSigns } from './past-signs.ts';
import { cycleCount, cycleDay, fundedShares } from './pay-cycles.ts';

/** What is believed of one payment: a chance for each hypothesis, after all that was seen. */
export interface Belief {
  readonly parameters: BeliefParameters;
  readonly weights: Float64Array;
  /** The hypotheses that are still likely, and their chances: the others are not worth reckoning. */
  readonly active: Uint16Array;
  readonly activeWeights: Float64Array;
  /** The active hypotheses of paydays: they come first. */
  readonly activeCycles: number;
  /** The local hour of the failure, or of the card's renewal. */
  readonly anchorHour: number;
  readonly context: number;
}

/** What a belief is reckoned in; training gives the same arrays again for each row. */
export interface BeliefArrays {
  readonly weights: Float64Array;
  readonly active: Uint16Array;
  readonly activeWeights: Float64Array;
  /** Of one hour, by hypothesis. */
  readonly canPay: Float64Array;
  readonly buckets: Uint8Array;
  readonly past: PastSigns;
}

/** Fresh arrays for one belief. */
export function beliefArrays(): BeliefArrays {
  // One buffer, the widest numbers first: each costs more than its filling.
  const size = hypothesisCount;
  const [doubles, signs] = [3 * size + 2 * maxPastSigns, maxPastSigns];
  const buffer = new ArrayBuffer(8 * doubles + 3 * size + signs);
  return {
    weights: new Float64Array(buffer, 0, size),
    activeWeights: new Float64Array(buffer, size * 8, size),
    canPay: new Float64Array(buffer, size * 16, size),
    active: new Uint16Array(buffer, 8 * doubles, size),
    buckets: new Uint8Array(buffer, 8 * doubles + 2 * size, size),
    past: {
      count: 0,
      days: new Float64Array(buffer, size * 24, signs),
      trusts: new Float64Array(buffer, size * 24 + 8 * signs, signs),
      passed: new Uint8Array(buffer, 8 * doubles + 3 * size, signs),
    },
  };
}

/** The posterior of a payment's hypotheses; it lives in `arrays`, until they are given again. */
export function believe(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  facts: RetryFacts,
  arrays: BeliefArrays = beliefArrays(),
): Belief {
  const evidence = evidenceOf(facts);
  const { anchorHour, context } = evidence;
  readPastSigns(facts, arrays.past);
  weighEvidence(parameters, calendar, evidence, arrays);
  return { parameters, weights: arrays.weights, ...activeOf(arrays), anchorHour, context };
}

/** Writes the posterior's weights: the prior of the context, then each thing seen, with what `arrays` has of the past. */
export function weighEvidence(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  evidence: Evidence,
  arrays: BeliefArrays,
): void {
  const { weights, canPay, past } = arrays;
  const { context, anchorHour, first, tries } = evidence;
  weights.set(priorsOf(parameters)[context] ?? emptyPrior);
  if (first !== undefined) {
    weighFirst({ parameters, calendar }, anchorHour, weights);
    weighAdvice({ parameters, calendar, anchorHour, seen: first }, arrays);
  }
  weighPast({ parameters, calendar }, past, weights, canPay);
  for (const seen of tries) {
    canPayAt({ parameters, calendar }, anchorHour, seen.hour, canPay);
    weighDecline(parameters, context, seen.code, canPay, weights);
    weighAdvice({ parameters, calendar, anchorHour, seen }, arrays);
  }
  normalise(weights);
}

const emptyPrior = new Float64Array(hypothesisCount);

/** With hundreds of hypotheses, those below hold a few per cent of the whole together. */
const activeFrom = 6e-4;

function activeOf({
  weights,
  active,
  activeWeights,
}: BeliefArrays): Pick<Belief, 'active' | 'activeWeights' | 'activeCycles'> {
  let count = 0;
  let activeCycles = 0;
  for (let at = 0; at < hypothesisCount; at += 1) {
    const weight = weights[at] ?? 0;
    if (weight < activeFrom) continue;
    active[count] = at;
    activeWeights[count] = weight;
    count += 1;
    if (at < cycleCount) activeCycles = count;
  }
  const kept = activeWeights.subarray(0, count);
  normalise(kept);
  return {
    active: active.subarray(0, count),
    activeWeights: kept,
    activeCycles,
  };
}

/**
 * Writes each active hypothesis's chance that the account can pay at a local hour, and gives their
 * mean: the chance under the belief, but for false declines.
 */
export function activeCanPay(
  calendar: HolidayCalendar,
  { parameters, active, activeWeights, activeCycles, anchorHour }: Belief,
  hour: number,
  out: Float64Array,
): number {
  const funded = believedDay(parameters, calendar, dayOfHour(hour)).funded;
  for (let place = 0; place < activeCycles; place += 1) {
    out[place] = funded[active[place] ?? 0] ?? 0;
  }
  for (let place = activeCycles; place < active.length; place += 1) {
    const at = active[place] ?? 0;
    out[place] = at === never ? 0 : rampAt(at, hour - anchorHour);
  }
  return weightedSum(activeWeights, out);
}

/** The mean chance that the account can pay at a local hour: the chance under the belief, but for false declines. */
export function meanCanPay(calendar: HolidayCalendar, belief: Belief, hour: number): number {
  return cyclesCanPay(calendar, belief, dayOfHour(hour)) + rampsCanPay(belief, hour);
}

/** What the rhythms bring to that mean at any hour of a day. */
export function cyclesCanPay(
  calendar: HolidayCalendar,
  { parameters, active, activeWeights, activeCycles }: Belief,
  day: number,
): number {
  const funded = believedDay(parameters, calendar, day).funded;
  let sum = 0;
  for (let place = 0; place < activeCycles; place += 1) {
    sum += (activeWeights[place] ?? 0) * (funded[active[place] ?? 0] ?? 0);
  }
  return sum;
}

/** And what the ramps bring at an hour. */
export function rampsCanPay(
  { active, activeWeights, activeCycles, anchorHour }: Belief,
  hour: number,
): number {
  let sum = 0;
  for (let place = activeCycles; place < active.length; place += 1) {
    const at = active[place] ?? 0;
    if (at !== never) sum += (activeWeights[place] ?? 0) * rampAt(at, hour - anchorHour);
  }
  return sum;
}

/** How far a ramp has risen so many hours after the failure. */
function rampAt(hypothesis: number, passedHours: number): number {
  const from = rampEdgesHours[hypothesis - firstRamp] ?? 0;
  const to = rampEdgesHours[hypothesis - firstRamp + 1] ?? 1;
  return Math.min(1, Math.max(0, (passedHours - from) / (to - from)));
}

/** Writes each hypothesis's chance, from 0 to 1, that the account can pay at a local hour. */
export function canPayAt(
  { parameters, calendar }: BelievedCalendar,
  anchorHour: number,
  hour: number,
  out: Float64Array,
): void {
  out.set(believedDay(parameters, calendar, dayOfHour(hour)).funded);
  const passed = hour - anchorHour;
  for (let at = firstRamp; at < never; at += 1) out[at] = rampAt(at, passed);
  out[never] = 0;
}

function weighFirst(
  { parameters, calendar }: BelievedCalendar,
  hour: number,
  weights: Float64Array,
): void {
  const funded = believedDay(parameters, calendar, dayOfHour(hour)).funded;
  for (let at = 0; at < cycleCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * (1 - 0.97 * (funded[at] ?? 0));
  }
}

/** A later decline: the account could not pay, or it could and was declined falsely. */
function weighDecline(
  parameters: BeliefParameters,
  context: number,
  code: number,
  canPay: Float64Array,
  weights: Float64Array,
): void {
  if (code < 0) {
    // No word of the account; but a hindrance that had ended would rather not show.
    for (let at = firstRamp; at < never; at += 1) {
      weights[at] = (weights[at] ?? 0) * (1 - 0.9 * (canPay[at] ?? 0));
    }
    return;
  }
  for (let group = 0; group < groupBounds.length; group += 1) {
    const { from = 0, to = 0 } = groupBounds[group] ?? {};
    const { dry, paid } = declineChances(parameters, { context, group, code });
    for (let at = from; at < to; at += 1) {
      const can = canPay[at] ?? 0;
      weights[at] = (weights[at] ?? 0) * ((1 - can) * dry + can * paid + 1e-6);
    }
  }
}

/** A group's chances of a decline with a code: of an account that could not pay, and of one that could. */
export function declineChances(
  { codes, falseDecline }: BeliefParameters,
  { context, group, code }: { context: number; group: number; code: number },
): { readonly dry: number; readonly paid: number } {
  return {
    dry: codes[codesRow(context, group, false)]?.[code] ?? 0,
    paid: (codes[codesRow(context, group, true)]?.[code] ?? 0) * falseDecline,
  };
}

interface AdviceInput {
  readonly parameters: BeliefParameters;
  readonly calendar: HolidayCalendar;
  readonly anchorHour: number;
  readonly seen: SeenDecline;
}

/** What the issuer's advice says of the time to funds; how much it is worth was learned. */
function weighAdvice(
  { parameters, calendar, anchorHour, seen }: AdviceInput,
  { weights, buckets }: BeliefArrays,
): void {
  const { advice, hour } = seen;
  if (advice < 0) return;
  const chances = parameters.advice.map((list) => list[advice] ?? 0.1);
  fundsBuckets(calendar, anchorHour, hour, buckets);
  for (let at = 0; at < hypothesisCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * (chances[buckets[at] ?? 0] ?? 0.1);
  }
}

/** Writes each hypothesis's bucket of days to funds, as seen from the hour of a decline. */
export function fundsBuckets(
  calendar: HolidayCalendar,
  anchorHour: number,
  hour: number,
  out: Uint8Array,
): void {
  const { funded, daysToPayday } = cycleDay(calendar, dayOfHour(hour));
  const shares = fundedShares.length;
  const dayPart = (hour - 24 * dayOfHour(hour)) / 24;
  for (let phase = 0; phase < daysToPayday.length; phase += 1) {
    const dryBucket = adviceBucket(Math.max(0, (daysToPayday[phase] ?? 0) - dayPart));
    for (let at = phase * shares; at < (phase + 1) * shares; at += 1) {
      out[at] = (funded[at] ?? 0) > 0.5 ? 0 : dryBucket;
    }
  }
  for (let ramp = 0; ramp < rampCount; ramp += 1) {
    const middle = ((rampEdgesHours[ramp] ?? 0) + (rampEdgesHours[ramp + 1] ?? 0)) / 2;
    out[firstRamp + ramp] = adviceBucket(Math.max(0, (anchorHour + middle - hour) / 24));
  }
  out[never] = adviceBucket(-1);
}

const priors = new WeakMap<BeliefParameters, readonly Float64Array[]>();

/** The hypotheses' chances before anything is seen, by context; remembered for each model. */
export function priorsOf(parameters: BeliefParameters): readonly Float64Array[] {
  const known = priors.get(parameters);
  if (known !== undefined) return known;
  const built = Array.from({ length: contextCount }, (_, context) =>
    Float64Array.from({ length: hypothesisCount }, (_unused, at) => {
      const kind = parameters.kinds[context]?.[kindOf(at)] ?? 0;
      if (groupOf(at) !== 0) return kind;
      const phase = parameters.phases[Math.floor(at / fundedShares.length)] ?? 0;
      return kind * phase * (parameters.shares[kindOf(at)]?.[at % fundedShares.length] ?? 0);
    }),
  );
  priors.set(parameters, built);
  return built;
}

/** Scales weights in place so that they sum to 1; all zeros stay as they are. */
export function normalise(weights: Float64Array): void {
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) sum += weights[at] ?? 0;
  if (sum <= 0) return;
  for (let at = 0; at < weights.length; at += 1) weights[at] = (weights[at] ?? 0) / sum;
}
