/** Times that end now, by how long they are. */
export const presets = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Whole days of the viewer's calendar, first and last, as `2026-01-30`. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** What an address says of the time: a preset, or days as `2026-01-01..2026-01-31`. */
export type Range = Preset | Days;

const presetLabels: Readonly<Record<Preset, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  all: 'All time',
};

const dayMs = 86_400_000;
const minuteMs = 60_000;
const presetMs: Readonly<Record<Preset, number | undefined>> = {
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  all: undefined,
};

const form = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});

/** The range that a parameter names; what names none is the last 30 days. */
export function rangeOf(text: string | null): Range {
  const preset = presets.find((each) => each === text);
  if (preset !== undefined) return preset;
  const [first = '', last = '', ...more] = (text ?? '').split('..');
  const isRange = more.length === 0 && startOf(first) !== undefined && startOf(last) !== undefined;
  return isRange && first <= last ? { first, last } : '30d';
}

/** As an address says it. */
export function rangeText(range: Range): string {
  return typeof range === 'string' ? range : `${range.first}..${range.last}`;
}

/** The range in words. */
export function rangeLabel(range: Range): string {
  if (typeof range === 'string') return presetLabels[range];
  const [first, last] = [startOf(range.first), startOf(range.last)];
  return first === undefined || last === undefined ? '' : form.formatRange(first, last);
}

/**
 * From when, and before when, as the API takes it; an end that is left out is open. Presets are cut to
 * the minute, so that a query stays the same.
 */
export function spanOf(
  range: Range,
  now: Date,
): { readonly from?: string; readonly until?: string } {
  if (typeof range !== 'string') {
    const [from, last] = [startOf(range.first), startOf(range.last)];
    if (from === undefined || last === undefined) return {};
    const until = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1);
    return { from: from.toISOString(), until: until.toISOString() };
  }
  const ms = presetMs[range];
  if (ms === undefined) return {};
  const from = new Date(Math.floor((now.getTime() - ms) / minuteMs) * minuteMs);
  return { from: from.toISOString() };
}

/** Where a day begins in the viewer's zone; undefined where the text is no day. */
export function startOf(day: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  return dayOf(at) === day ? at : undefined;
}

/** The viewer's calendar day of an instant. */
export function dayOf(at: Date): string {
  const two = (n: number): string => n.toString().padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Where only the beginning of a range can be asked for: `since Jan 1, 2026`. */
export function sinceLabel(range: Range): string {
  const first = typeof range === 'string' ? undefined : startOf(range.first);
  return first === undefined ? rangeLabel(range) : `since ${form.format(first)}`;
}
