import { hourStartIso } from '../local-time.ts';
import type { Slot, SlotPlan } from '../plan-slots.ts';
import { rounded } from '../rounded.ts';

/** Which of the planned tries it is, and what the others are for. */
export function planWords({ next, tries }: SlotPlan, utcOffsetMinutes: number): string {
  const chance = `with a chance of ${percent(next.chance)}`;
  const [, ...others] = tries;
  if (others.length === 0) return `the only try that is worth making, ${chance}`;
  const days = others.map((slot) => {
    const date = hourStartIso(slot.hour, utcOffsetMinutes).slice(0, 'yyyy-mm-dd'.length);
    return `${date} (${percent(slot.chance)})`;
  });
  return (
    `the first of ${tries.length} tries that are planned together, ${chance}; for the case that it ` +
    `is declined: ${days.join(', ')}. Days that pass at the same times count once`
  );
}

/** A slot as decisions are kept with it. */
export function candidate(
  { hour, chance }: Slot,
  utcOffsetMinutes: number,
): { readonly at: string; readonly score: number } {
  return {
    at: hourStartIso(hour, utcOffsetMinutes),
    score: rounded(chance),
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
