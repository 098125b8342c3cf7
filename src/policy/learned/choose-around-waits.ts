import type { AdvisedWaits } from './advised-waits.ts';

/** A slot as the choice needs it. */
export interface WeighedSlot {
  readonly hour: number;
  /** What is left of a gain that comes at this hour. */
  readonly discount: number;
  /** By active hypothesis: times `scale`, the chance of an approval. */
  readonly chances: Float64Array;
  readonly scale: number;
}

export interface ChooseAroundWaitsInput<T extends WeighedSlot> {
  /** In order of time. */
  readonly slots: readonly T[];
  readonly weights: Float64Array;
  readonly waits: AdvisedWaits;
  readonly triesLeft: number;
  /** Of a try that fails, as a share of the amount. */
  readonly cost: number;
  /** Two chosen slots are at least so many hours apart. */
  readonly apartHours: number;
}

/**
 * Chooses slots where each decline may hold the next try back: the sequence is weighed as a whole,
 * one slot is put in at a time where it adds most, and none that adds nothing.
 */
export function chooseAroundWaits<T extends WeighedSlot>(
  input: ChooseAroundWaitsInput<T>,
): { readonly chosen: readonly T[]; readonly worth: number } {
  const { slots, triesLeft, apartHours } = input;
  const worthOf = sequenceWorth(input);
  let chosen: readonly T[] = [];
  let worth = 0;
  while (chosen.length < triesLeft) {
    let best: readonly T[] | undefined;
    for (const slot of slots) {
      if (chosen.some(({ hour }) => Math.abs(hour - slot.hour) < apartHours)) continue;
      const place = chosen.findIndex(({ hour }) => hour > slot.hour);
      const sequence = chosen.toSpliced(place < 0 ? chosen.length : place, 0, slot);
      const reached = worthOf(sequence);
      if (reached <= worth) continue;
      best = sequence;
      worth = reached;
    }
    if (best === undefined) break;
    chosen = best;
  }
  return { chosen, worth };
}

/** The expected gain of slots in order of time: a try is paid for only where it can be made. */
function sequenceWorth<T extends WeighedSlot>(
  input: ChooseAroundWaitsInput<T>,
): (sequence: readonly T[]) => number {
  const { slots, weights, waits, cost } = input;
  const left = new Float64Array(weights.length);
  const buckets = new Map(slots.map((slot) => [slot, waits.bucketsAt(slot.hour)] as const));
  return (sequence) => {
    left.set(weights);
    let worth = 0;
    sequence.forEach((slot, place) => {
      const before = sequence[place - 1];
      const seen = before === undefined ? undefined : buckets.get(before);
      const allowed = before === undefined ? undefined : waits.overAfter(slot.hour - before.hour);
      let [gain, made] = [0, 0];
      for (let at = 0; at < left.length; at += 1) {
        const open = (left[at] ?? 0) * (allowed?.[seen?.[at] ?? 0] ?? 1);
        const met = open * (slot.chances[at] ?? 0) * slot.scale;
        made += open;
        gain += met;
        left[at] = (left[at] ?? 0) - met;
      }
      worth += gain * slot.discount - cost * made;
    });
    return worth;
  };
}
