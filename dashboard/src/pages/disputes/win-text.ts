import type { OutcomeSumsJson } from '../../api/generated/dispute-reports.ts';
import { formatCount } from '../../parts/count.ts';
import { formatShare } from '../../parts/percent.ts';

/** Whether so many decided disputes carry a share: `least` is the service's word. */
export function isEnough({ won, lost }: Pick<Decided, 'won' | 'lost'>, least: number): boolean {
  return won + lost >= least;
}

type Decided = Pick<
  OutcomeSumsJson,
  'won' | 'lost' | 'win_rate' | 'win_rate_low' | 'win_rate_high'
>;

/** The share that was won, its interval and its n: `60% [41, 77] of 30`; of few the numbers alone. */
export function winText(of: Decided, least: number): string {
  const { won, lost, win_rate: rate } = of;
  const decided = won + lost;
  if (rate === undefined) return 'none decided';
  if (!isEnough(of, least)) return `${formatCount(won)} of ${formatCount(decided)}, too few`;
  return `${formatShare(rate)} [${intervalText(of)}] of ${formatCount(decided)}`;
}

/** The bounds in percent: `41, 77`. */
export function intervalText(
  { win_rate_low: low = 0, win_rate_high: high = 1 }: Decided,
  between = ', ',
): string {
  return [low, high].map((bound) => formatCount(Math.round(bound * 100))).join(between);
}
