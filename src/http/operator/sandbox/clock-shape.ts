import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import type { ClockApi, ClockView } from '../../../recovery/operator-api.ts';
import { timeField } from '../../fields.ts';
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
