import { Type } from 'typebox';
import { addMs } from '../../domain/clock.ts';
import { parseIsoDuration } from '../../domain/duration.ts';
import { AppError } from '../../domain/errors.ts';
import { timeField } from '../../http/fields.ts';
import type { ClockApi, ClockView } from '../../recovery/clock-api.ts';
import { InvalidRequest } from '../invalid-request.ts';
import type { OperatorDeps } from '../operator-deps.ts';

export const clockFields = {
  now: timeField("The service's time."),
  offset_ms: Type.Integer({ description: "How far it is before the machine's time." }),
};

export function clockJson(clock: ClockView): { now: string; offset_ms: number } {
  return { now: clock.now.toISOString(), offset_ms: clock.offsetMs };
}

/** The sandbox's clock. Throws AppError sandbox_only where there is none. */
export function sandboxClock(deps: OperatorDeps): ClockApi {
  if (deps.clock === undefined) throw new AppError('sandbox_only');
  return deps.clock;
}

/** The last instant that an RFC 3339 timestamp can name. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time that lies an ISO 8601 duration after now. Throws InvalidRequest of `advance`. */
export function advanced(now: Date, advance: string): Date {
  const reading = parseIsoDuration(advance);
  if ('fault' in reading) throw clockFault('advance', `Input ${reading.fault}`);
  const to = addMs(now, reading.durationMs);
  if (to.getTime() <= latestMs) return to;
  throw clockFault('advance', 'Time ends with the year 9999');
}

export function clockFault(at: string, text: string): InvalidRequest {
  return new InvalidRequest([{ at, text }]);
}
