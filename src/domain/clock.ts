/**
 * Where time comes from. Nothing in the project reads the machine's clock itself: a service passes
 * its clock in, so that a sandbox and the tests can move it, and JavaScript and SQL agree on "now".
 */
export interface Clock {
  /** The present instant, to the millisecond. */
  now(): Date;
}

/** Lengths in milliseconds; a day has 24 hours here, whatever a zone's clock does. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** No process works whose clock is farther than this from the database's. */
export const maxClockDistanceMs = 2 * secondMs;
/** Nor one that knows the database's clock less well than this. */
export const maxClockUncertaintyMs = secondMs / 2;
/** So two that work are no farther apart than this in what they take for the present. */
export const maxClocksApartMs = 2 * maxClockUncertaintyMs;

/** The instant `durationMs` milliseconds after `at`; a negative duration goes back. */
export function addMs(at: Date, durationMs: number): Date {
  return new Date(at.getTime() + durationMs);
}

/** The later of two instants. */
export function laterOf(a: Date, b: Date): Date {
  return a.getTime() >= b.getTime() ? a : b;
}

/** The earlier of two instants. */
export function earlierOf(a: Date, b: Date): Date {
  return a.getTime() <= b.getTime() ? a : b;
}

/**
 * What is left of a wait that ends at `endsAtMs`. Where more is left than it ever was, the clock was set back
 * since it began, and nobody waits for the hour that comes again.
 */
export function leftOfWait(
  wait: { readonly endsAtMs: number; readonly mostMs: number },
  nowMs: number,
): number {
  const leftMs = wait.endsAtMs - nowMs;
  return leftMs > wait.mostMs ? 0 : Math.max(0, leftMs);
}

/** Whether a text is a day in the calendar, as `YYYY-MM-DD`: 30 February is none, which `Date` takes for 2 March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
