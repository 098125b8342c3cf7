import { weightedSum } from '../weighted-sum.ts';
import type { AdvisedWaits } from './advised-waits.ts';
import { activeCanPay } from './belief/belief.ts';
import { chooseAroundWaits } from './choose-around-waits.ts';
import { dayOfHour, hourOfDay } from './local-time.ts';
import type { Scorer } from './policy-model.ts';

/** What tries cost, as shares of the amount, and what waiting costs. */
export interface Economics {
  /** Authorisation and network fees of a try, over the amount. */
  readonly feeShare: number;
  /** What a failed try does to the subscriber, over the amount. */
  readonly annoyanceShare: number;
  /** Of the payments still open, those that are lost with each day. */
  readonly lossPerDay: number;
}

export interface SlotsInput {
  readonly scorer: Scorer;
  /** Local hours between which tries are allowed, both included. */
  readonly fromHour: number;
  readonly toHour: number;
  readonly triesLeft: number;
  readonly economics: Economics;
  /** Where issuers advise: how long a further decline would hold the next try back. */
  readonly waits?: AdvisedWaits | undefined;
}

export interface Slot {
  readonly hour: number;
  /** Of an approval, from 0 to 1. */
  readonly chance: number;
  /** Expected gain over the costs, as a share of the amount. */
  readonly value: number;
}

/** The tries that are worth making, in order of time, and others that were weighed. */
export interface SlotPlan {
  readonly next: Slot;
  /** Tries that are now meant to be made, the next one included. */
  readonly tries: readonly Slot[];
  /** The expected gain of them all over their costs, as a share of the amount. */
  readonly worth: number;
  /** The best of all slots for a single try, the best first. */
  readonly candidates: readonly Slot[];
}

/** Ten in the morning: banks are awake and the day's pay has come; refined once a day is chosen. */
const dayHour = 10;
/** Hours of the chosen day that are weighed against that one. */
const refinedHours = [0, 5, 6, 7, 8, 9, 13, 16, 20] as const;
/** Slots soon after a failure, in hours: technical declines and holds often end within a day. */
const soonHours = [1, 4, 9] as const;
/** Two planned tries are at least so many hours apart, apart from the soon ones. */
const apartHours = 20;

/**
 * Spends the tries that are left on the slots that together reach most: each further one is worth
 * what the chosen ones leave unpaid (a hypothesis that a chosen try would meet is worth nothing
 * more), so that the next try is chosen in view of those that can follow it. Undefined where no try
 * is worth its costs.
 */
export function planSlots(input: SlotsInput): SlotPlan | undefined {
  const slots = openSlots(input);
  const { chosen, worth } =
    input.waits === undefined ? cover(input, slots) : aroundWaits(input, input.waits, slots);
  const [first] = chosen;
  if (first === undefined) return undefined;
  return {
    next: refined(input, first),
    tries: chosen.map(({ hour, chance, value }) => ({ hour, chance, value })),
    worth,
    candidates: best(slots, 5),
  };
}

interface Chosen {
  readonly chosen: readonly OpenSlot[];
  readonly worth: number;
}

function cover(input: SlotsInput, slots: readonly OpenSlot[]): Chosen {
  const chosen = moveNext(input, slots, chooseSlots(input, slots));
  return { chosen, worth: chosen.reduce((sum, { value }) => sum + value, 0) };
}

function aroundWaits(
  { scorer, triesLeft, economics }: SlotsInput,
  waits: AdvisedWaits,
  slots: readonly OpenSlot[],
): Chosen {
  const weights = scorer.prepared.belief.activeWeights;
  return chooseAroundWaits({
    slots,
    weights,
    waits,
    triesLeft,
    cost: costOf(economics),
    apartHours,
  });
}

/** The slot of the most value for a single try, with no thought of later ones. */
export function greedySlot(input: SlotsInput): SlotPlan | undefined {
  const slots = openSlots(input);
  const [first] = best(slots, 1);
  if (first === undefined || first.value <= 0) return undefined;
  const { value: worth } = first;
  return { next: refined(input, first), tries: [first], worth, candidates: best(slots, 5) };
}

interface OpenSlot extends Slot {
  /** What is left of a gain that comes at this hour. */
  readonly discount: number;
  /** By active hypothesis: times `scale`, the chance of an approval; their mean is `chance`. */
  readonly chances: Float64Array;
  /** Not more than 1. */
  readonly scale: number;
}

function openSlots(input: SlotsInput): readonly OpenSlot[] {
  const { scorer, economics } = input;
  const cost = costOf(economics);
  return believedSlots(input).map(({ hour, discount, believed, chances }) => {
    const chance = scorer.score(hour, believed);
    const factor = chance / (believed + 1e-4);
    if (factor > 1) raise(chances, factor);
    const scale = factor > 1 ? 1 : factor;
    return { hour, chance, discount, chances, scale, value: chance * discount - cost };
  });
}

/** Chances that are raised may pass 1, and have to stay at it; those that are lowered need no pass. */
function raise(chances: Float64Array, factor: number): void {
  for (let at = 0; at < chances.length; at += 1) {
    const raised = (chances[at] ?? 0) * factor;
    chances[at] = raised > 1 ? 1 : raised;
  }
}

/** A slot as the belief alone has it, before it is scored. */
interface BelievedSlot {
  readonly hour: number;
  readonly discount: number;
  readonly believed: number;
  /** By active hypothesis: the chance that the account can pay. */
  readonly chances: Float64Array;
}

function believedSlots(input: SlotsInput): readonly BelievedSlot[] {
  const { belief, calendar } = input.scorer.prepared;
  const hours = slotHours(input);
  const size = belief.active.length;
  const room = roomFor(hours.length * size);
  return hours.map((hour, place) => {
    const chances = room.subarray(place * size, (place + 1) * size);
    const believed = activeCanPay(calendar, belief, hour, chances);
    return { hour, discount: discountAt(input, hour), believed, chances };
  });
}

let kept = new Float64Array(0);

/**
 * Room for the chances of a plan's slots, the same for each plan: no slot outlives its plan, and tens of
 * kilobytes cost more to make than to fill.
 */
function roomFor(length: number): Float64Array {
  if (kept.length < length) kept = new Float64Array(length);
  return kept;
}

function slotHours({ fromHour, toHour }: SlotsInput): readonly number[] {
  const hours: number[] = [];
  for (const soon of soonHours) if (fromHour + soon <= toHour) hours.push(fromHour + soon);
  const begin = fromHour + (soonHours.at(-1) ?? 0);
  for (let day = dayOfHour(fromHour); day * 24 + dayHour <= toHour; day += 1) {
    if (day * 24 + dayHour > begin) hours.push(day * 24 + dayHour);
  }
  return hours.length === 0 ? [toHour] : hours;
}

function discountAt({ fromHour, economics }: SlotsInput, hour: number): number {
  return Math.exp((-economics.lossPerDay * (hour - fromHour)) / 24);
}

function costOf({ feeShare, annoyanceShare }: Economics): number {
  return feeShare + annoyanceShare;
}

/**
 * Greedy cover: the slot with the most gain, again and again. Gains only fall as slots are chosen, so
 * a slot is reckoned again only while its old gain is above the best new one.
 */
function chooseSlots(input: SlotsInput, slots: readonly OpenSlot[]): readonly OpenSlot[] {
  const left = input.scorer.prepared.belief.activeWeights.slice();
  const cost = costOf(input.economics);
  const chosen: OpenSlot[] = [];
  const gains = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at];
    if (slot !== undefined) gains[at] = slot.chance * slot.discount;
  }
  /** The round that a slot's gain is of; none is of 0. */
  const rounds = new Uint8Array(slots.length);
  while (chosen.length < input.triesLeft) {
    const place = placeOfMost(slots, { left, gains, rounds, round: chosen.length + 1 });
    const slot = slots[place];
    const gain = gains[place] ?? 0;
    if (slot === undefined || gain <= cost) break;
    chosen.push({ ...slot, value: gain - cost });
    takeGain(slot, left);
    for (let at = 0; at < slots.length; at += 1) {
      if (Math.abs((slots[at]?.hour ?? 0) - slot.hour) < apartHours) gains[at] = closed;
    }
  }
  return chosen.sort((a, b) => a.hour - b.hour);
}

/**
 * Moves the next try to where it is worth most, given those that follow: the cover alone does not
 * see that an earlier success saves days and tries.
 */
function moveNext(
  input: SlotsInput,
  slots: readonly OpenSlot[],
  chosen: readonly OpenSlot[],
): readonly OpenSlot[] {
  const [first, ...others] = chosen;
  if (first === undefined) return chosen;
  const latest = (others[0]?.hour ?? Number.POSITIVE_INFINITY) - apartHours;
  const { activeWeights } = input.scorer.prepared.belief;
  const missed = worthAfter(input, others, first.chances.length);
  for (let at = 0; at < missed.length; at += 1) {
    missed[at] = (missed[at] ?? 0) * (activeWeights[at] ?? 0);
  }
  // What those after it are worth is missed where it passes: the same for all slots where it does not.
  const worthOf = ({ chances, scale, discount }: OpenSlot): number =>
    scale * (weightedSum(activeWeights, chances) * discount - weightedSum(missed, chances));
  let best = { slot: first, worth: worthOf(first) };
  for (const slot of slots) {
    if (slot.hour > latest || slot === first) continue;
    const worth = worthOf(slot);
    if (worth > best.worth) best = { slot, worth };
  }
  return [best.slot, ...others];
}

/**
 * By hypothesis: what tries in order of time are worth where none before them passed; each costs only
 * if those before it failed.
 */
function worthAfter(
  { economics }: SlotsInput,
  tries: readonly OpenSlot[],
  hypotheses: number,
): Float64Array {
  const after = new Float64Array(hypotheses);
  const cost = costOf(economics);
  for (const { chances, scale, discount } of tries.toReversed()) {
    for (let at = 0; at < hypotheses; at += 1) {
      const chance = (chances[at] ?? 0) * scale;
      after[at] = chance * discount - cost + (1 - chance) * (after[at] ?? 0);
    }
  }
  return after;
}

/** Takes away from what is left open what a try meets. */
function takeGain({ chances, scale }: OpenSlot, left: Float64Array): void {
  for (let at = 0; at < left.length; at += 1) {
    left[at] = (left[at] ?? 0) * (1 - (chances[at] ?? 0) * scale);
  }
}

interface Search {
  readonly left: Float64Array;
  /** Of each slot, not less than it would gain; `closed` where it is too near to a chosen one. */
  readonly gains: Float64Array;
  readonly rounds: Uint8Array;
  readonly round: number;
}

const closed = -1;

/** The slot that gains most of what is left open. */
function placeOfMost(slots: readonly OpenSlot[], search: Search): number {
  const { left, gains, rounds, round } = search;
  for (;;) {
    let top = 0;
    let most = gains[0] ?? closed;
    for (let at = 1; at < gains.length; at += 1) {
      const gain = gains[at] ?? closed;
      if (gain > most) {
        most = gain;
        top = at;
      }
    }
    const slot = slots[top];
    if (slot === undefined || most === closed || rounds[top] === round) return top;
    gains[top] = weightedSum(left, slot.chances) * slot.scale * slot.discount;
    rounds[top] = round;
  }
}

/** The best hour of the chosen day; soon slots stay where they are. */
function refined(input: SlotsInput, slot: Slot): Slot {
  const { scorer, fromHour, toHour, economics } = input;
  if (hourOfDay(slot.hour) !== dayHour) return slot;
  let bestSlot = slot;
  const midnight = dayOfHour(slot.hour) * 24;
  for (const local of refinedHours) {
    const hour = midnight + local;
    if (hour < fromHour || hour > toHour || hour === slot.hour) continue;
    const chance = scorer.score(hour);
    const value = chance * discountAt(input, hour) - costOf(economics);
    if (chance > bestSlot.chance) bestSlot = { hour, chance, value };
  }
  return bestSlot;
}

function best(slots: readonly Slot[], count: number): readonly Slot[] {
  return slots
    .slice()
    .sort((a, b) => b.value - a.value || a.hour - b.hour)
    .slice(0, count)
    .map(({ hour, chance, value }) => ({ hour, chance, value }));
}
