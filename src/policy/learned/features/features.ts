import { type Belief, meanCanPay } from '../belief/belief.ts';
import { codeClassOf, never } from '../belief/belief-parameters.ts';
import { believedDay } from '../belief/believed-day.ts';
import { cyclePhases, fundedShares } from '../belief/pay-cycles.ts';
import {
  dayOfHour,
  dayOfMonth,
  type HolidayCalendar,
  hourOfDay,
  localHour,
  weekdayOf,
} from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';
import { type EncodedGroup, encodedGroups } from './encodings.ts';
import { featureAt as at, featureCount } from './feature-names.ts';
import { againstUsual, type UsualAmounts } from './usual-amounts.ts';

export interface FeatureInput {
  readonly facts: RetryFacts;
  readonly belief: Belief;
  readonly calendar: HolidayCalendar;
  readonly falseDecline: number;
  readonly encodingOf: (facts: RetryFacts, group: EncodedGroup) => number;
  /** What amounts are usual, by currency. */
  readonly usualAmounts: UsualAmounts;
  /** Training gives the same arrays again for each row. */
  readonly arrays?: FeatureArrays;
}

/** What a decision's features are reckoned in. */
export interface FeatureArrays {
  /** A row of the features that are the same for every slot. */
  readonly base: Float64Array;
  readonly phaseWeights: Float64Array;
}

/** Fresh arrays, in one buffer: an allocation costs more than filling it. */
export function featureArrays(): FeatureArrays {
  const buffer = new ArrayBuffer(8 * (featureCount + cyclePhases.length));
  return {
    base: new Float64Array(buffer, 0, featureCount),
    phaseWeights: new Float64Array(buffer, 8 * featureCount, cyclePhases.length),
  };
}

/** What is the same for every slot of a decision, and the local days of what lies behind it. */
export interface PreparedFacts extends FeatureInput, FeatureArrays {
  readonly failedHour: number;
  readonly triedHours: readonly number[];
  readonly pastHours: readonly number[];
  readonly waitEndHour: number | undefined;
}

/** Works out what all slots of a decision share, into `arrays` where they are given. */
export function prepareFacts(input: FeatureInput): PreparedFacts {
  const { facts, belief, arrays = featureArrays() } = input;
  const { base, phaseWeights } = arrays;
  base.fill(0);
  base[at.never] = belief.weights[never] ?? 0;
  base[at.paydays] = sumPhases(belief, phaseWeights);
  fillDeclines(facts, base);
  fillCard(facts, base);
  base[at.amount] = againstUsual(facts, input.usualAmounts);
  const passed =
    facts.past.length === 0
      ? facts.past
      : facts.past.filter(({ succeeded, atMs }) => succeeded && atMs < facts.nowMs);
  base[at.past_successes] = Math.log1p(passed.length);
  base[at.amount_against_past] = againstPast(facts, passed);
  for (const group of encodedGroups) base[at[group]] = input.encodingOf(facts, group);
  const hourOf = (atMs: number) => localHour(atMs, facts.utcOffsetMinutes);
  const last = facts.tries.at(-1);
  const { waitMs } = last?.decline ?? facts.firstDecline;
  const waitFromMs = last?.atMs ?? facts.failedAtMs;
  base[at.advised] = waitMs === undefined ? 0 : 1;
  return {
    ...input,
    base,
    phaseWeights,
    failedHour: hourOf(facts.failedAtMs),
    triedHours: facts.tries.map(({ atMs }) => hourOf(atMs)),
    pastHours: passed.map(({ atMs }) => hourOf(atMs)),
    waitEndHour: waitMs === undefined ? undefined : hourOf(waitFromMs + waitMs),
  };
}

/** Writes the chance of each phase of paydays, and gives the sum of all. */
function sumPhases({ weights }: Belief, out: Float64Array): number {
  const shares = fundedShares.length;
  let all = 0;
  for (let phase = 0; phase < out.length; phase += 1) {
    let sum = 0;
    for (let index = phase * shares; index < (phase + 1) * shares; index += 1) {
      sum += weights[index] ?? 0;
    }
    out[phase] = sum;
    all += sum;
  }
  return all;
}

const alwaysVarying = [
  at.belief_logit,
  at.belief_chance,
  at.belief_low,
  at.payday_today,
  at.payday_lately,
  at.payday_early,
  at.night,
  at.early,
  at.evening,
  at.hour,
  at.friday,
  at.monday,
  at.business_day,
  at.month_start,
  at.month_middle,
  at.month_end,
  at.gap,
  at.since_failure,
] as const;

/** The places of the features that may differ between a decision's slots: all others are `base`'s. */
export function varyingPlaces(prepared: PreparedFacts): Uint8Array {
  const { base, triedHours, pastHours, waitEndHour } = prepared;
  const places: number[] = [...alwaysVarying];
  if (triedHours.length > 0) places.push(at.within_day);
  if (triedHours.length > 2) places.push(at.many_in_week);
  if (base[at.debit] === 1) places.push(at.debit_payday);
  if (base[at.credit] === 1) places.push(at.credit_since);
  if (base[at.code_funds] === 1) places.push(at.funds_since);
  if (base[at.code_generic] === 1) places.push(at.generic_since);
  if (waitEndHour !== undefined) places.push(at.past_advice);
  if (pastHours.length > 0) places.push(at.past_same_days, at.past_same_hours);
  return Uint8Array.from(places);
}

/** Writes a slot's features into `row` from `from` on, and gives the chance under the belief. */
export function slotFeatures(
  prepared: PreparedFacts,
  hour: number,
  row: Float64Array | Float32Array,
  from = 0,
): number {
  row.set(prepared.base, from);
  const believed = meanCanPay(prepared.calendar, prepared.belief, hour);
  return fillSlot(prepared, hour, believed, row, from);
}

/** Writes those features that vary between slots, over another slot's or over the `base`. */
export function fillSlot(
  prepared: PreparedFacts,
  hour: number,
  believed: number,
  row: Float64Array | Float32Array,
  from: number,
): number {
  const passed = believed * (1 - prepared.falseDecline);
  const chance = Math.min(0.999, Math.max(0.0005, passed));
  row[from + at.belief_logit] = Math.log(chance / (1 - chance));
  row[from + at.belief_chance] = chance;
  row[from + at.belief_low] = Math.min(0.1, chance);
  fillCalendar(prepared, hour, row, from);
  fillGaps(prepared, hour, row, from);
  fillPast(prepared, hour, row, from);
  return chance;
}

function fillDeclines({ firstDecline, tries, renewedAtMs }: RetryFacts, row: Float64Array): void {
  const name = codeClassOf(firstDecline);
  const last = tries.at(-1);
  const lastName = last === undefined ? name : codeClassOf(last.decline);
  row[at.renewed] = renewedAtMs === undefined ? 0 : 1;
  row[at.code_funds] = name === 'funds' ? 1 : 0;
  row[at.code_generic] = name === 'generic' ? 1 : 0;
  row[at.code_technical] = name === 'technical' ? 1 : 0;
  row[at.last_technical] = lastName === 'technical' ? 1 : 0;
  row[at.last_funds] = lastName === 'funds' ? 1 : 0;
  row[at.tries] = Math.min(20, tries.length);
}

function fillCard(facts: RetryFacts, row: Float64Array): void {
  row[at.debit] = facts.funding === 'debit' ? 1 : 0;
  row[at.credit] = facts.funding === 'credit' ? 1 : 0;
  row[at.prepaid] = facts.funding === 'prepaid' ? 1 : 0;
  row[at.visa] = facts.brand === 'visa' ? 1 : 0;
  row[at.mastercard] = facts.brand === 'mastercard' ? 1 : 0;
  const { expiry } = facts;
  const end = expiry === undefined ? Number.POSITIVE_INFINITY : Date.UTC(expiry.year, expiry.month);
  row[at.expired] = facts.nowMs >= end ? 1 : 0;
}

/** Amounts of one currency say nothing of another's. */
function againstPast(
  { amountMinor, currency }: Pick<RetryFacts, 'amountMinor' | 'currency'>,
  passed: RetryFacts['past'],
): number {
  const sorted = passed
    .filter((charge) => charge.currency === undefined || charge.currency === currency)
    .map((charge) => charge.amountMinor)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return 0;
  const middle = sorted[Math.floor(sorted.length / 2)] ?? amountMinor;
  return Math.max(-3, Math.min(3, Math.log(Math.max(1, amountMinor) / Math.max(1, middle))));
}

type Row = Float64Array | Float32Array;

function fillCalendar(prepared: PreparedFacts, hour: number, row: Row, from: number): void {
  const day = dayOfHour(hour);
  const { of } = believedDay(prepared.belief.parameters, prepared.calendar, day);
  const { date } = of;
  const today = sumOf(prepared.phaseWeights, of.paidToday);
  const lately = sumOf(prepared.phaseWeights, of.paidLately);
  const local = hourOfDay(hour);
  const name = weekdayOf(day);
  row[from + at.payday_today] = today;
  row[from + at.payday_lately] = lately;
  row[from + at.payday_early] = local < 9 ? today : 0;
  row[from + at.debit_payday] = (row[from + at.debit] ?? 0) * (today + lately);
  row[from + at.night] = local >= 1 && local < 5 ? 1 : 0;
  row[from + at.early] = local >= 5 && local < 9 ? 1 : 0;
  row[from + at.evening] = local >= 18 ? 1 : 0;
  row[from + at.hour] = local;
  row[from + at.friday] = name === 5 ? 1 : 0;
  row[from + at.monday] = name === 1 ? 1 : 0;
  row[from + at.business_day] = of.isBusinessDay ? 1 : 0;
  row[from + at.month_start] = date <= 3 ? 1 : 0;
  row[from + at.month_middle] = date >= 15 && date <= 17 ? 1 : 0;
  row[from + at.month_end] = of.daysLeftInMonth <= 1 ? 1 : 0;
}

function sumOf(weights: Float64Array, places: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < places.length; index += 1) sum += weights[places[index] ?? 0] ?? 0;
  return sum;
}

function fillGaps(prepared: PreparedFacts, hour: number, row: Row, from: number): void {
  const { failedHour, triedHours, waitEndHour } = prepared;
  const last = triedHours.at(-1) ?? failedHour;
  let recent = 0;
  for (const tried of triedHours) if (hour - tried < 168) recent += 1;
  const since = Math.log1p(Math.max(0, hour - failedHour));
  row[from + at.many_in_week] = Math.max(0, recent - 2);
  row[from + at.within_day] = triedHours.length > 0 && hour - last < 24 ? 1 : 0;
  row[from + at.gap] = Math.log1p(Math.max(0, hour - last));
  row[from + at.since_failure] = since;
  row[from + at.funds_since] = since * (row[from + at.code_funds] ?? 0);
  row[from + at.generic_since] = since * (row[from + at.code_generic] ?? 0);
  row[from + at.credit_since] = since * (row[from + at.credit] ?? 0);
  row[from + at.past_advice] =
    waitEndHour === undefined ? 0 : Math.max(-1, Math.min(10, (hour - waitEndHour) / 24));
}

function fillPast({ pastHours }: PreparedFacts, hour: number, row: Row, from: number): void {
  if (pastHours.length === 0) return;
  const date = dayOfMonth(dayOfHour(hour));
  let [sameDays, sameHours] = [0, 0];
  for (const past of pastHours) {
    const days = Math.abs(dayOfMonth(dayOfHour(past)) - date);
    if (Math.min(days, 30 - days) <= 2) sameDays += 1;
    const hours = Math.abs(hourOfDay(past) - hourOfDay(hour));
    if (Math.min(hours, 24 - hours) <= 3) sameHours += 1;
  }
  row[from + at.past_same_days] = sameDays / (pastHours.length + 1);
  row[from + at.past_same_hours] = sameHours / (pastHours.length + 1);
}
