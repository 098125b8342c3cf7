import type { OutcomeSumsJson } from '../../api/generated/dispute-reports.ts';
import { formatCount } from '../../parts/count.ts';
import { formatShare } from '../../parts/percent.ts';

/** With fewer than these decided, the interval is wider than anybody can act on. */
export const leastDecided = 10;

/** Whether so many decided disputes carry a share. */
export function isEnough(decided: number): boolean {
  return decided >= leastDecided;
}

type Decided = Pick<
  OutcomeSumsJson,
  'won' | 'lost' | 'win_rate' | 'win_rate_low' | 'win_rate_high'
>;

/** The share that was won, its interval and its n: `60% [41, 77] of 30`, a break before its n alone; of few the numbers. */
export function winText(of: Decided): string {
  const { won, lost, win_rate: rate } = of;
  const decided = won + lost;
  if (rate === undefined) return 'none decided';
  if (!isEnough(decided)) return `${formatCount(won)} of ${formatCount(decided)}, too few`;
  return `${formatShare(rate)}\u00a0[${intervalText(of)}] of\u00a0${formatCount(decided)}`;
}

/** The bounds in percent: `41, 77`. */
export function intervalText(
  { win_rate_low: low = 0, win_rate_high: high = 1 }: Decided,
  between = ',\u00a0',
): string {
  return [low, high].map((bound) => formatCount(Math.round(bound * 100))).join(between);
}
