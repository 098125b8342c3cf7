import {
  type Clock,
  maxClockDistanceMs,
  maxClockUncertaintyMs,
  secondMs,
} from '../../domain/clock.ts';
import type { HeldBack } from '../../domain/held-back.ts';
import { bestOf, type ClockSample, follow, sampleOf, uncertaintyAt } from './clock-sample.ts';
import { createJumpWatch, type Jump } from './jump-watch.ts';

/**
 * The time of the engine: the database's, measured again and again and carried by the monotonic clock
 * in between. Processes on many machines have one time by it, whatever their own clocks say.
 */
export interface DatabaseClock extends Clock {
  /** Rises with each jump of the machine's time; looks for one each time that it is asked. */
  epoch(): number;
  /** Why this process may take no work now; looks for a jump too. */
  heldBack(): HeldBack | undefined;
  readings(): ClockReadings;
  /** Measures once. Rejects where the database cannot be asked. */
  measure(): Promise<void>;
  /** Calls `listener` after each jump. */
  onJump(listener: (jump: Jump) => void): void;
}

export interface ClockReadings {
  /** How far this machine's clock is before the database's. */
  readonly aheadMs: number;
  /** By how much that may be wrong. */
  readonly uncertaintyMs: number;
}

export interface DatabaseClockDeps {
  readonly wall: Clock;
  readonly elapsedMs: () => number;
  /** The database's time in milliseconds since 1970. */
  readonly askTime: () => Promise<number>;
  /**
   * How long nothing is taken after the wall clock jumped: what was sent before the jump has arrived by
   * then, or never will.
   */
  readonly restMs: number;
}

/** One that was farther works again when it is clearly nearer, not at each tremor around the bound. */
const nearEnoughMs = 0.9 * maxClockDistanceMs;
/** A measurement is of no use any more after this. */
const maxUnmeasuredMs = 30 * secondMs;
/** Questions of one measurement at most. */
const maxQuestions = 3;
/** So exact an answer needs no second question: it came as fast as a network lets it. */
const exactEnoughMs = 3;

export function createDatabaseClock(deps: DatabaseClockDeps): DatabaseClock {
  const { wall, elapsedMs } = deps;
  const jumped = createJumpWatch({ wall, elapsedMs });
  const listeners: ((jump: Jump) => void)[] = [];
  let sample: ClockSample | undefined;
  let measuredAtMs = 0;
  let epoch = 0;
  let measuredEpoch = -1;
  let restUntilMs = 0;
  let isFar = false;

  const nowMs = (): number =>
    sample === undefined ? wall.now().getTime() : sample.offsetMs + elapsedMs();

  function look(): void {
    const jump = jumped();
    if (jump === undefined) return;
    epoch += 1;
    if (jump.byMs !== 0) restUntilMs = elapsedMs() + deps.restMs;
    for (const listener of listeners) listener(jump);
  }

  function readings(): ClockReadings {
    const uncertaintyMs = sample === undefined ? 0 : uncertaintyAt(sample, elapsedMs());
    return { aheadMs: wall.now().getTime() - nowMs(), uncertaintyMs };
  }

  return {
    now: () => new Date(Math.round(nowMs())),
    readings,
    onJump: (listener) => void listeners.push(listener),
    epoch() {
      look();
      return epoch;
    },
    heldBack() {
      look();
      if (measuredEpoch < epoch) return jumpedMessage;
      if (elapsedMs() < restUntilMs) return restMessage;
      if (elapsedMs() - measuredAtMs > maxUnmeasuredMs) return unmeasuredMessage;
      const { aheadMs, uncertaintyMs } = readings();
      if (uncertaintyMs > maxClockUncertaintyMs) return inexactMessage;
      isFar = Math.abs(aheadMs) + uncertaintyMs > (isFar ? nearEnoughMs : maxClockDistanceMs);
      return isFar ? differs(aheadMs, uncertaintyMs) : undefined;
    },
    async measure() {
      look();
      const before = epoch;
      const samples: ClockSample[] = [];
      for (let asked = 0; asked < maxQuestions; asked += 1) {
        const sentMs = elapsedMs();
        const databaseMs = await deps.askTime();
        const answer = sampleOf({ sentMs, receivedMs: elapsedMs(), databaseMs });
        samples.push(answer);
        if (answer.uncertaintyMs <= exactEnoughMs) break;
      }
      look();
      // What was asked before a jump tells nothing of the time after it.
      if (epoch !== before) return;
      sample = follow(measuredEpoch < epoch ? undefined : sample, bestOf(samples));
      measuredAtMs = elapsedMs();
      measuredEpoch = epoch;
    },
  };
}

const jumpedMessage: HeldBack = {
  code: 'clock_jumped',
  message:
    "The machine's clock jumped or the process did not run for a while; the clock is being measured again.",
};

const restMessage: HeldBack = {
  code: 'clock_jumped',
  message: "The machine's clock jumped; work resumes once everything sent before has ended.",
};

const unmeasuredMessage: HeldBack = {
  code: 'clock_unmeasured',
  message: `The database's clock could not be measured for more than ${maxUnmeasuredMs / secondMs} s.`,
};

const inexactMessage: HeldBack = {
  code: 'clock_unmeasured',
  message: `The database answers too slowly to read its clock to within ${maxClockUncertaintyMs} ms.`,
};

function differs(aheadMs: number, uncertaintyMs: number): HeldBack {
  const seconds = (Math.abs(aheadMs) / secondMs).toFixed(1);
  const unsure = (uncertaintyMs / secondMs).toFixed(1);
  const where = aheadMs < 0 ? 'behind' : 'ahead of';
  return {
    code: 'clock_differs',
    message: `This machine's clock is ${seconds} s ${where} the database's (give or take ${unsure} s); ${maxClockDistanceMs / secondMs} s are allowed.`,
  };
}
