import type { Decline } from '../../../domain/declines/decline.ts';
import { dayOfHour, type HolidayCalendar, localHour } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';
import {
  adviceBucket,
  adviceCodes,
  type BeliefParameters,
  codeClassOf,
  codesRow,
  contextCount,
  contextOf,
  firstRamp,
  groupOf,
  hypothesisCount,
  kindOf,
  laterCodes,
  never,
  rampCount,
  rampEdgesHours,
} from './belief-parameters.ts';
import { weighPast } from './past-evidence.ts';
import { cycleCount, cycleDay, fundedShares } from './pay-cycles.ts';

/** What is believed of one payment: a chance for each hypothesis, after all that was seen. */
export interface Belief {
  readonly weights: Float64Array;
  /** The hypotheses that are still likely, and their chances: the others are not worth reckoning. */
  readonly active: Uint16Array;
  readonly activeWeights: Float64Array;
  /** The local hour of the failure, or of the card's renewal. */
  readonly anchorHour: number;
  readonly context: number;
}

/** The posterior of a payment's hypotheses: the prior of its context, then each thing seen. */
export function believe(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  facts: RetryFacts,
): Belief {
  const context = contextOf(facts);
  const anchorMs = facts.renewedAtMs ?? facts.failedAtMs;
  // A renewed card may pass in its first hour; a charge that has just failed does not.
  const isRenewed = facts.renewedAtMs !== undefined;
  const anchorHour = localHour(anchorMs, facts.utcOffsetMinutes) - (isRenewed ? 1 : 0);
  const weights = (priorsOf(parameters)[context] ?? new Float64Array(hypothesisCount)).slice();
  if (!isRenewed) weighFirst(parameters, calendar, facts, anchorHour, weights);
  weighPast(calendar, facts, weights);
  const canPay = new Float64Array(hypothesisCount);
  for (const { atMs, decline } of facts.tries) {
    if (atMs < anchorMs) continue;
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    canPayAt(calendar, anchorHour, hour, canPay);
    weighDecline(parameters, context, decline, canPay, weights);
    weighAdvice({ parameters, calendar, decline, anchorHour, hour }, weights);
  }
  normalise(weights);
  return { weights, ...activeOf(weights), anchorHour, context };
}

/** With hundreds of hypotheses, those below hold a few per cent of the whole together. */
const activeFrom = 6e-4;

function activeOf(weights: Float64Array): Pick<Belief, 'active' | 'activeWeights'> {
  const active = new Uint16Array(hypothesisCount);
  const activeWeights = new Float64Array(hypothesisCount);
  let count = 0;
  for (let at = 0; at < hypothesisCount; at += 1) {
    const weight = weights[at] ?? 0;
    if (weight < activeFrom) continue;
    active[count] = at;
    activeWeights[count] = weight;
    count += 1;
  }
  const kept = activeWeights.subarray(0, count);
  normalise(kept);
  return { active: active.subarray(0, count), activeWeights: kept };
}

/**
 * Writes each active hypothesis's chance that the account can pay at a local hour, and gives their
 * mean: the chance under the belief, but for false declines.
 */
export function activeCanPay(
  calendar: HolidayCalendar,
  { active, activeWeights, anchorHour }: Belief,
  hour: number,
  out: Float64Array,
): number {
  const { funded } = cycleDay(calendar, dayOfHour(hour));
  let sum = 0;
  for (let place = 0; place < active.length; place += 1) {
    const at = active[place] ?? 0;
    const can =
      at < cycleCount ? (funded[at] ?? 0) : at === never ? 0 : rampAt(at, hour - anchorHour);
    out[place] = can;
    sum += can * (activeWeights[place] ?? 0);
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
  calendar: HolidayCalendar,
  anchorHour: number,
  hour: number,
  out: Float64Array,
): void {
  out.set(cycleDay(calendar, dayOfHour(hour)).funded);
  const passed = hour - anchorHour;
  for (let at = firstRamp; at < never; at += 1) out[at] = rampAt(at, passed);
  out[never] = 0;
}

function weighFirst(
  parameters: BeliefParameters,
  calendar: HolidayCalendar,
  { firstDecline }: RetryFacts,
  hour: number,
  weights: Float64Array,
): void {
  const { funded } = cycleDay(calendar, dayOfHour(hour));
  for (let at = 0; at < cycleCount; at += 1) {
    weights[at] = (weights[at] ?? 0) * (1 - 0.97 * (funded[at] ?? 0));
  }
  weighAdvice({ parameters, calendar, decline: firstDecline, anchorHour: hour, hour }, weights);
}

/** A later decline: the account could not pay, or it could and was declined falsely. */
export function weighDecline(
  { codes, falseDecline }: BeliefParameters,
  context: number,
  decline: Decline,
  canPay: Float64Array,
  weights: Float64Array,
): void {
  const name = codeClassOf(decline);
  if (name === 'technical') {
    // No word of the account; but a hindrance that had ended would rather not show.
    for (let at = firstRamp; at < never; at += 1) {
      weights[at] = (weights[at] ?? 0) * (1 - 0.9 * (canPay[at] ?? 0));
    }
    return;
  }
  const code = laterCodes.indexOf(name);
  for (let group = 0; group < 3; group += 1) {
    const dry = codes[codesRow(context, group, false)]?.[code] ?? 0;
    const paid = (codes[codesRow(context, group, true)]?.[code] ?? 0) * falseDecline;
    const [from, to] = groupBounds[group] ?? [0, 0];
    for (let at = from; at < to; at += 1) {
      const can = canPay[at] ?? 0;
      weights[at] = (weights[at] ?? 0) * ((1 - can) * dry + can * paid + 1e-6);
    }
  }
}

const groupBounds = [
  [0, firstRamp],
  [firstRamp, never],
  [never, never + 1],
] as const;

export interface AdviceInput {
  readonly parameters: BeliefParameters;
  readonly calendar: HolidayCalendar;
  readonly decline: Decline;
  readonly anchorHour: number;
  readonly hour: number;
}

/** What the issuer's advice says of the time to funds; how much it is worth was learned. */
export function weighAdvice(input: AdviceInput, weights: Float64Array): void {
  const advice = adviceOf(input.decline);
  if (advice < 0) return;
  const { advice: table } = input.parameters;
  eachBucket(input, (at, bucket) => {
    weights[at] = (weights[at] ?? 0) * (table[bucket]?.[advice] ?? 0.1);
  });
}

/** The advice's place in the table; -1 for none that tells of time. */
export function adviceOf({ adviceCode }: Decline): number {
  return adviceCode === undefined
    ? -1
    : adviceCodes.indexOf(adviceCode as (typeof adviceCodes)[number]);
}

/** Each hypothesis with its bucket of days to funds, as seen from the hour of a decline. */
export function eachBucket(
  { calendar, anchorHour, hour }: Omit<AdviceInput, 'decline' | 'parameters'>,
  visit: (hypothesis: number, bucket: number) => void,
): void {
  const { funded, daysToPayday } = cycleDay(calendar, dayOfHour(hour));
  const shares = fundedShares.length;
  const dayPart = (hour - 24 * dayOfHour(hour)) / 24;
  daysToPayday.forEach((days, phase) => {
    const dryBucket = adviceBucket(Math.max(0, days - dayPart));
    for (let share = 0; share < shares; share += 1) {
      const at = phase * shares + share;
      visit(at, (funded[at] ?? 0) > 0.5 ? 0 : dryBucket);
    }
  });
  for (let ramp = 0; ramp < rampCount; ramp += 1) {
    const middle = ((rampEdgesHours[ramp] ?? 0) + (rampEdgesHours[ramp + 1] ?? 0)) / 2;
    visit(firstRamp + ramp, adviceBucket(Math.max(0, (anchorHour + middle - hour) / 24)));
  }
  visit(never, adviceBucket(-1));
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

export function normalise(weights: Float64Array): void {
  let sum = 0;
  for (const weight of weights) sum += weight;
  if (sum <= 0) return;
  for (let at = 0; at < weights.length; at += 1) weights[at] = (weights[at] ?? 0) / sum;
}
