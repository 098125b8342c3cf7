import { dayMs, minuteMs } from '../domain/clock.ts';

/** Offsets of time zones, each looked up once a day: the machine's own look-up is slow. */
export interface Zones {
  /** Minutes that the zone's clocks are ahead of UTC; undefined for a name that is no zone. */
  offsetMinutes(timeZone: string, atMs: number): number | undefined;
}

export function createZones(): Zones {
  const formats = new Map<string, Intl.DateTimeFormat | undefined>();
  const offsets = new Map<string, number | undefined>();
  const formatOf = (timeZone: string): Intl.DateTimeFormat | undefined => {
    if (!formats.has(timeZone)) formats.set(timeZone, openZone(timeZone));
    return formats.get(timeZone);
  };
  return {
    offsetMinutes(timeZone, atMs) {
      if (timeZone === 'UTC') return 0;
      const day = Math.floor(atMs / dayMs);
      const key = `${timeZone}|${day}`;
      if (!offsets.has(key))
        offsets.set(key, offsetOf(formatOf(timeZone), day * dayMs + dayMs / 2));
      return offsets.get(key);
    },
  };
}

function openZone(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    return undefined;
  }
}

function offsetOf(format: Intl.DateTimeFormat | undefined, atMs: number): number | undefined {
  if (format === undefined) return undefined;
  const parts = Object.fromEntries(
    format.formatToParts(new Date(atMs)).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute) - atMs) / minuteMs);
}
