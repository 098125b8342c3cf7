import { hostname } from 'node:os';
import { pid } from 'node:process';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { type Clock, secondMs } from '../../domain/clock.ts';
import { AppError, type ErrorCode } from '../../domain/errors.ts';
import type { HeldBack } from '../../domain/held-back.ts';
import { base32 } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import { type ClockState, startClockKeeper } from '../../jobs/time/clock-keeper.ts';
import { createDatabaseClock, type DatabaseClock } from '../../jobs/time/database-clock.ts';
import type { Metrics } from '../../metrics.ts';
import type { DatabaseAddress } from '../../store/cell.ts';
import { noteProcessClock, removeProcessClock } from '../../store/clock/process-clocks.ts';
import { readTime } from '../../store/clock/read-time.ts';
import { openDatabase } from '../../store/database.ts';
import { isRing, type Ring, ringChannel } from '../../store/rings.ts';
import type { Closable } from '../context.ts';

/** The engine's time in this process, and whether the process may act by it. */
export interface KeptTime extends Closable {
  readonly clock: DatabaseClock;
}

interface Deps {
  readonly machine: Clock;
  readonly elapsedMs: () => number;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'setClock'>;
}

/** A question that waits longer measures nothing that is of use. */
const maxAnswerMs = 5 * secondMs;
/** Between two notes of how this process's clock stands, while nothing changes. */
const noteEveryMs = 15 * secondMs;

/**
 * Measures the database's clock, and goes on measuring it by a connection of its own: one that waited
 * behind others' work would measure that work.
 *
 * @throws AppError clock_unmeasured
 */
export async function keepTime(
  deps: Deps,
  input: {
    readonly config: Config;
    readonly address: DatabaseAddress;
    readonly onRefused?: (code: ErrorCode) => void;
    /** Told of rings of other processes: this connection is there all the time. */
    readonly heard?: (what: Ring) => void;
  },
): Promise<KeptTime> {
  const { machine, elapsedMs, log, metrics } = deps;
  const { config, address } = input;
  const { onRefused, heard } = input;
  const db = openDatabase(
    { log, onRefused },
    { ...address, poolSize: 1, answerTimeoutMs: maxAnswerMs, ...hearingOf(address, heard) },
  );
  const clock = createDatabaseClock({
    wall: machine,
    elapsedMs,
    askTime: () => readTime(db),
    restMs: 2 * config.pspTimeoutMs,
  });
  try {
    await clock.measure();
  } catch (error) {
    await db.close();
    if (error instanceof AppError && error.code !== 'database_unreachable') throw error;
    throw new AppError('clock_unmeasured', undefined, { cause: error });
  }
  const processId = `${hostname()}:${pid}:${base32(deps.random.bytes(5))}`;
  const note = noter({ elapsedMs }, (state) =>
    noteProcessClock(db, { ...state, processId, roles: config.roles, at: clock.now() }),
  );
  const keeper = startClockKeeper({
    clock,
    log,
    report(state) {
      metrics.setClock(state);
      note.tell(state);
    },
  });
  return {
    clock,
    async close() {
      await keeper.stop();
      await note.ended();
      await removeProcessClock(db, processId).catch(() => undefined);
      await db.close();
    },
  };
}

function hearingOf({ schema }: DatabaseAddress, heard: ((what: Ring) => void) | undefined) {
  if (heard === undefined) return {};
  return {
    hears: {
      channel: ringChannel(schema),
      heard(payload: string | undefined) {
        if (isRing(payload)) heard(payload);
      },
    },
  };
}

/** Notes a state now and then, at once where the process begins or ends to hold back. */
function noter(
  { elapsedMs }: Pick<Deps, 'elapsedMs'>,
  write: (state: ClockState) => Promise<void>,
): { tell(state: ClockState): void; ended(): Promise<void> } {
  let writing: Promise<void> | undefined;
  let lastCode: HeldBack['code'] | undefined;
  let nextAtMs = 0;
  return {
    tell(state) {
      const code = state.heldBack?.code;
      if (writing !== undefined || (code === lastCode && elapsedMs() < nextAtMs)) return;
      lastCode = code;
      nextAtMs = elapsedMs() + noteEveryMs;
      // The keeper tells of a database that does not answer.
      writing = write(state)
        .catch(() => undefined)
        .finally(() => {
          writing = undefined;
        });
    },
    ended: async () => writing,
  };
}
