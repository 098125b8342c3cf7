import type { RetryMapJson } from '../../api/generated/overview.ts';
import type { HeatCell } from '../../parts/heat-of.ts';

type Hours = RetryMapJson['hours'];

/** Days of the week, the first one Monday, in the viewer's language. */
export const weekdays: readonly string[] = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' }).format(
    // The 1st of January 2024 was a Monday.
    Date.UTC(2024, 0, 1 + day),
  ),
);

/** Tries by weekday and hour of the viewer's zone. */
export function byWeekdayAndHour(hours: Hours): readonly (readonly HeatCell[])[] {
  const cells = Array.from({ length: 7 }, () => Array.from({ length: 24 }, emptyCell));
  for (const each of hours) {
    const at = new Date(each.at);
    add(cells[(at.getDay() + 6) % 7]?.[at.getHours()], each);
  }
  return cells;
}

/** Tries by the day of the month of the viewer's zone. */
export function byDayOfMonth(hours: Hours): readonly HeatCell[] {
  const cells = Array.from({ length: 31 }, emptyCell);
  for (const each of hours) add(cells[new Date(each.at).getDate() - 1], each);
  return cells;
}

interface Sum {
  tries: number;
  successes: number;
}

function emptyCell(): Sum {
  return { tries: 0, successes: 0 };
}

function add(cell: Sum | undefined, { tries, successes }: Hours[number]): void {
  if (cell === undefined) return;
  cell.tries += tries;
  cell.successes += successes;
}
