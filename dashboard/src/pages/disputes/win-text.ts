import { formatCount } from '../../parts/count.ts';
import { formatShare } from '../../parts/percent.ts';
import { likelyShare } from './likely-share.ts';
import type { Outcomes } from './sum-outcomes.ts';

/** With fewer than these decided, the interval is wider than anybody can act on. */
export const leastDecided = 10;

/** Whether so many decided disputes carry a share. */
export function isEnough(decided: number): boolean {
  return decided >= leastDecided;
}

type Decided = Pick<Outcomes, 'won' | 'lost'>;

/** The share that was won, its interval and its n: `60% [41, 77] of 30`; of few the numbers alone. */
export function winText({ won, lost }: Decided): string {
  const decided = won + lost;
  if (decided === 0) return 'none decided';
  if (!isEnough(decided)) return `${formatCount(won)} of ${formatCount(decided)}, too few`;
  return `${formatShare(won / decided)} [${intervalText({ won, lost })}] of ${formatCount(decided)}`;
}

/** The bounds in percent: `41, 77`. */
export function intervalText({ won, lost }: Decided, between = ', '): string {
  const { low, high } = likelyShare(won, won + lost);
  return [low, high].map((bound) => formatCount(Math.round(bound * 100))).join(between);
}
