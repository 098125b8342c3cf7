import { checkInvariants } from '../jobs/duties/check-invariants.ts';
import { purgeIdempotencyKeys } from '../jobs/duties/purge-idempotency-keys.ts';
import { replayExhausted } from '../jobs/duties/replay-exhausted.ts';
import { trimHistory } from '../jobs/duties/trim-history.ts';
import type { Duty } from '../jobs/duty.ts';
import { createDutyClock } from '../jobs/duty-clock.ts';
import { type DutyQueue, startDutyQueue } from '../jobs/duty-queue.ts';
import { createIdempotencyKeys } from '../store/idempotency-keys.ts';
import { createOperatorReports } from '../store/reports/operator-reports.ts';
import { trimDeliveryTries, trimRequests } from '../store/retention.ts';
import { clockOffsetSql } from '../store/sandbox-clock.ts';
import type { AppContext, Closable } from './context.ts';
import type { Engine } from './engine.ts';
import type { ServiceClock } from './service-clock.ts';

export function dutiesOf(context: AppContext, engine: Engine): readonly Duty[] {
  const { db, metrics, log } = context;
  const keys = createIdempotencyKeys({ db });
  const reports = createOperatorReports({ db });
  return [
    checkInvariants({
      checkInvariants: () => reports.checkInvariants(),
      setBreaches: (name, breaches) => metrics.setBreaches(name, breaches),
      log,
    }),
    purgeIdempotencyKeys({ purge: (at, limit) => keys.purgeExpired(at, limit) }),
    trimHistory({
      trimRequests: (before, limit) => trimRequests(db, before, limit),
      trimDeliveryTries: (before, limit) => trimDeliveryTries(db, before, limit),
    }),
    replayExhausted({
      replay: (input) => reports.replayExhausted(input),
      wakeDeliveries: () => engine.deps.wake.deliveries(),
    }),
  ];
}

export interface RunningDuties extends Closable {
  readonly queue: DutyQueue;
}

export async function startDuties(
  context: AppContext,
  input: {
    readonly duties: readonly Duty[];
    readonly serviceClock: ServiceClock;
    readonly connectionString: string;
    readonly work: boolean;
  },
): Promise<RunningDuties> {
  const { clock, log } = context;
  const { movable } = input.serviceClock;
  const queue = await startDutyQueue(
    {
      clock,
      log,
      ...(movable === undefined
        ? {}
        : { dutyClock: createDutyClock({ clock: movable, offsetMsSql: clockOffsetSql }) }),
    },
    { connectionString: input.connectionString, duties: input.duties, work: input.work },
  );
  return { queue, close: () => queue.stop() };
}
