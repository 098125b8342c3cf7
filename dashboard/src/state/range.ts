import { dayIn, isZone } from './zoned.ts';

/** Times that end now, by how long they are. */
export const presets = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Whole days, first and last, as `2026-01-30`. */
export interface Days {
  readonly first: string;
  readonly last: string;
  /** Whose days, a name of the IANA database; absent: the viewer's own. */
  readonly zone?: string;
}

/** What an address says of the time: a preset, or days as `2026-01-01..2026-01-31@America/New_York`. */
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

const daysForm = /^([\d-]{10})\.\.([\d-]{10})(?:@(.+))?$/;

/** The range that a parameter names; what names none is the last 30 days. */
export function rangeOf(text: string | null): Range {
  const preset = presets.find((each) => each === text);
  if (preset !== undefined) return preset;
  const [, first = '', last = '', zone] = daysForm.exec(text ?? '') ?? [];
  const isRange = startOf(first) !== undefined && startOf(last) !== undefined && first <= last;
  if (!isRange || (zone !== undefined && !isZone(zone))) return '30d';
  return { first, last, ...(zone !== undefined && { zone }) };
}

/** As an address says it. */
export function rangeText(range: Range): string {
  if (typeof range === 'string') return range;
  return `${range.first}..${range.last}${range.zone === undefined ? '' : `@${range.zone}`}`;
}

/** The range in words; of days that are not the viewer's own, whose they are. */
export function rangeLabel(range: Range): string {
  if (typeof range === 'string') return presetLabels[range];
  const [first, last] = [startOf(range.first), startOf(range.last)];
  if (first === undefined || last === undefined) return '';
  return inZoneOf(range, form.formatRange(first, last));
}

function inZoneOf({ zone }: Days, words: string): string {
  return zone === undefined ? words : `${words}, ${zoneWords(zone)}`;
}

/** A zone as people call it: `New York` of `America/New_York`. */
export function zoneWords(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
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
    const from = startOf(range.first, range.zone);
    const until = startOf(range.last, range.zone, 1);
    if (from === undefined || until === undefined) return {};
    return { from: utcText(from), until: utcText(until) };
  }
  const ms = presetMs[range];
  if (ms === undefined) return {};
  const from = new Date(Math.floor((now.getTime() - ms) / minuteMs) * minuteMs);
  return { from: from.toISOString() };
}

/** Where a day, or one so many days after it, begins; undefined where the text is no day. */
export function startOf(day: string, zone?: string, daysAfter = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const parts = { year: Number(year), month: Number(month) - 1, date: Number(date) };
  if (dayOf(dayIn(zone, parts)) !== day) return undefined;
  return dayIn(zone, { ...parts, date: parts.date + daysAfter });
}

/** As the API takes it: a date of another zone would write that zone's offset. */
function utcText(at: Date): string {
  return new Date(at).toISOString();
}

/** The calendar day of an instant, in its own zone. */
export function dayOf(at: Date): string {
  const two = (n: number): string => n.toString().padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Where only the beginning of a range can be asked for: `since Jan 1, 2026`. */
export function sinceLabel(range: Range): string {
  if (typeof range === 'string') return rangeLabel(range);
  const first = startOf(range.first);
  return first === undefined ? rangeLabel(range) : inZoneOf(range, `since ${form.format(first)}`);
}
