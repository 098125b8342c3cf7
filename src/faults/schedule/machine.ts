import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../domain/clock.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** A process of the simulated service, with a machine's clock of its own. */
export interface Machine extends Owner {
  readonly name: string;
  /** Its wall clock: apart from the world's, drifting, and set anew at times. */
  readonly wall: Clock;
  /** Its monotonic clock, in milliseconds. */
  elapsedMs(): number;
  /** Runs something of this process: its timers and its calls are the process's own. */
  run<Result>(work: () => Result): Result;
  kill(): void;
  /** Held up: nothing of it happens until then, and its clocks run on. */
  holdUntil(atMs: number): void;
  /** Suspended: as held up, but its monotonic clock stands still meanwhile. */
  suspendUntil(atMs: number): void;
  setWall(offsetMs: number): void;
  /** Exchanges that it waits for. */
  waits: number;
  /** How often something kept it from its work so far: a pause, a clock set anew, its database. */
  troubles: number;
}

export interface MachineInput {
  readonly name: string;
  readonly offsetMs: number;
  /** Parts by which its clocks run faster than the world's, such as 0.0001. */
  readonly drift: number;
}

const running = new AsyncLocalStorage<Machine>();

/** The process that is running now; undefined in the simulator's own parts. */
export function runningMachine(): Machine | undefined {
  return running.getStore();
}

export function createMachine(scheduler: Scheduler, input: MachineInput): Machine {
  const bornMs = scheduler.nowMs();
  let { offsetMs } = input;
  let isAlive = true;
  let heldUntilMs = 0;
  let suspendedMs = 0;
  const aged = () => (scheduler.nowMs() - bornMs) * (1 + input.drift);
  const machine: Machine = {
    name: input.name,
    waits: 0,
    troubles: 0,
    get isAlive() {
      return isAlive;
    },
    get heldUntilMs() {
      return heldUntilMs;
    },
    wall: { now: () => new Date(Math.floor(bornMs + aged() + offsetMs)) },
    elapsedMs: () => aged() - suspendedMs,
    run: (work) => running.run(machine, work),
    kill() {
      isAlive = false;
    },
    holdUntil(atMs) {
      machine.troubles += 1;
      heldUntilMs = Math.max(heldUntilMs, atMs);
    },
    suspendUntil(atMs) {
      machine.troubles += 1;
      suspendedMs += Math.max(0, atMs - scheduler.nowMs());
      heldUntilMs = Math.max(heldUntilMs, atMs);
    },
    setWall(offset) {
      machine.troubles += 1;
      offsetMs = offset;
    },
  };
  return machine;
}
