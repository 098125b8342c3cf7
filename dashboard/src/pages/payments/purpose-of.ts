import type { PlannedTryJson } from '../../api/generated/payments.ts';
import { shortTime } from '../../parts/format-time.ts';
import { formatShare } from '../../parts/percent.ts';

/** What one of the planned tries is for, in view of the others. */
export function purposeOf(tries: readonly PlannedTryJson[], index: number): string {
  const likeliest = [...tries].sort((a, b) => (b.chance ?? 0) - (a.chance ?? 0))[0];
  const own = tries[index];
  const isLikeliest = own?.chance !== undefined && own === likeliest;
  if (index > 0) {
    const end = isLikeliest ? ' The likeliest time of the plan.' : '';
    return `Made only if every attempt before it is declined.${end}`;
  }
  if (tries.length === 1) return 'The only planned attempt.';
  if (own?.chance === undefined) return 'The next time of the schedule.';
  if (isLikeliest || likeliest?.chance === undefined) {
    return 'The likeliest time of the plan; the later ones are made only if it is declined.';
  }
  return (
    `An early chance: if it is declined, the try at ` +
    `${shortTime(new Date(likeliest.at))} (${formatShare(likeliest.chance)}) is still made; if it succeeds, none is needed.`
  );
}
