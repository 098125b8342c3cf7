import { unitOf } from '../hash.ts';
import { rounded } from '../rounded.ts';
import type { Reach } from './weigh-methods.ts';

/** The hour of the next try, and the chance with which the policy takes it. */
export interface TakenHour {
  readonly hour: number;
  /** Drawn, not chosen. */
  readonly isDrawn: boolean;
  readonly propensity: number;
}

/** Exploration goes a part of the window ahead, so that tries are left over for the rest of it. */
const partsAhead = 1.6;

/**
 * The best hour, or one of those in reach by chance where the decision explores. Training weighs each
 * try by its propensity, so the best hour has both of its chances: to be chosen, and to be drawn.
 */
export function takeHour(
  { fromHour, toHour, triesLeft }: Reach,
  bestHour: number,
  chance: {
    readonly explores: boolean;
    readonly exploreShare: number;
    readonly salt: string;
    /** The try of the payment: another draw for each. */
    readonly key: string;
  },
): TakenHour {
  const { explores, exploreShare, salt, key } = chance;
  const hours = Math.max(1, Math.ceil(((toHour - fromHour) / triesLeft) * partsAhead));
  const last = Math.min(toHour, fromHour + hours - 1);
  const count = last - fromHour + 1;
  const drawn = exploreShare / count;
  const chosen = 1 - exploreShare + (bestHour <= last ? drawn : 0);
  if (!explores) return { hour: bestHour, isDrawn: false, propensity: rounded(chosen) };
  const hour = fromHour + Math.floor(unitOf(key, `${salt}/slot`) * count);
  return { hour, isDrawn: true, propensity: rounded(hour === bestHour ? chosen : drawn) };
}
