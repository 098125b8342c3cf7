import { Type } from 'typebox';
import { dayMs } from '../../domain/clock.ts';
import { parseIsoDuration } from '../../domain/duration.ts';
import { InvalidRequest } from '../invalid-request.ts';

/** A day lets everyone take the new one up; months would keep what rotation is to end. */
const overlapDefault = 'P1D';
const maxOverlapDays = 90;

/** How long what a rotation replaces goes on. */
export const overlapField = Type.String({
  description: `How long existing ones stay valid, as an ISO 8601 duration: PT0S ends them at once, P${maxOverlapDays}D is the most. Default: ${overlapDefault}.`,
});

/** @throws InvalidRequest for no duration, and one that is too long */
export function overlapMs(text: string = overlapDefault): number {
  const reading = parseIsoDuration(text);
  if ('durationMs' in reading && reading.durationMs <= maxOverlapDays * dayMs) {
    return reading.durationMs;
  }
  const why = 'fault' in reading ? reading.fault : `may not be longer than P${maxOverlapDays}D`;
  throw new InvalidRequest([{ at: 'overlap', text: `Input ${why}` }]);
}
