import type { RecoveredPointJson } from '../../api/generated/overview.ts';

/** One step of the picture: an hour, or a day in the viewer's zone. */
export interface Step {
  readonly at: Date;
  readonly amount: number;
  readonly payments: number;
}

const dayMs = 86_400_000;
/** A day and a half of hours is drawn by hours. */
const maxHourlyMs = 36 * 3_600_000;

/**
 * Points as steps without gaps from the first to the last: days of the viewer's zone, or hours where
 * the whole is short. UTC days are taken for the days on which they begin.
 */
export function stepsOf(points: readonly RecoveredPointJson[], until: Date): readonly Step[] {
  const [first] = points;
  if (first === undefined) return [];
  const begin = new Date(first.at);
  const isHourly = until.getTime() - begin.getTime() <= maxHourlyMs;
  const floor = isHourly ? floorHour : floorDay;
  const sums = new Map<number, Step>();
  for (let at = floor(begin); at.getTime() <= until.getTime(); at = next(at, isHourly)) {
    sums.set(at.getTime(), { at, amount: 0, payments: 0 });
  }
  for (const point of points) {
    const key = floor(new Date(point.at)).getTime();
    const sum = sums.get(key);
    if (sum === undefined) continue;
    sums.set(key, {
      at: sum.at,
      amount: sum.amount + point.amount,
      payments: sum.payments + point.payments,
    });
  }
  return [...sums.values()];
}

/** What each of the steps stands beside: the day, or the hour, that lies so long before it. */
export function beside(
  steps: readonly Step[],
  { points, shiftMs }: { readonly points: readonly RecoveredPointJson[]; readonly shiftMs: number },
): readonly number[] {
  const isHourly = gapMs(steps) < dayMs / 2;
  const floor = isHourly ? floorHour : floorDay;
  const amounts = new Map<number, number>();
  for (const { at, amount } of points) {
    const key = floor(new Date(at)).getTime();
    amounts.set(key, (amounts.get(key) ?? 0) + amount);
  }
  // Half a step further: days that the clocks make longer or shorter begin an hour off.
  const half = (isHourly ? 3_600_000 : dayMs) / 2;
  return steps.map(
    ({ at }) => amounts.get(floor(new Date(at.getTime() - shiftMs + half)).getTime()) ?? 0,
  );
}

/** How long the first step is. */
export function gapMs(steps: readonly Step[]): number {
  const [first, second] = steps;
  return first === undefined || second === undefined ? 0 : second.at.getTime() - first.at.getTime();
}

function next(at: Date, isHourly: boolean): Date {
  if (isHourly) return new Date(at.getTime() + 3_600_000);
  // A day may have 23 or 25 hours.
  return floorDay(new Date(at.getTime() + dayMs + dayMs / 8));
}

function floorHour(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours());
}

function floorDay(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate());
}
