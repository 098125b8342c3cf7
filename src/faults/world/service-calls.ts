import { secondMs } from '../../domain/clock.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Fleet } from './fleet.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Weather } from './weather.ts';

/** One call of the service's own interfaces, by a merchant or a PSP. */
export interface ServiceCall<Value> {
  readonly what: string;
  readonly work: (process: ServiceProcess) => Promise<Value>;
  /** Whether it is over; else it is made again. */
  readonly onAnswer: (value: Value) => boolean;
  /** Waits before it is made again, after which it is given up; else again and again. */
  readonly waitsMs?: readonly number[];
}

const timeoutMs = 30 * secondMs;
const maxAgainSeconds = 300;

/** Calls the service until it answers: an answer may be lost, a process may die over it. */
export class ServiceCalls {
  readonly #scheduler: Scheduler;
  readonly #draws: Draws;
  readonly #fleet: Fleet;
  readonly #weather: Weather;

  constructor(deps: {
    readonly scheduler: Scheduler;
    readonly draws: Draws;
    readonly fleet: Fleet;
    readonly weather: Weather;
  }) {
    this.#scheduler = deps.scheduler;
    this.#draws = deps.draws.fork('calls');
    this.#fleet = deps.fleet;
    this.#weather = deps.weather;
  }

  make<Value>(call: ServiceCall<Value>, times = 0): void {
    const process = this.#fleet.pick();
    if (process === undefined) {
      this.#later(call, times);
      return;
    }
    let isOver = false;
    const again = () => {
      if (!isOver) this.#later(call, times);
      isOver = true;
    };
    const isLost = this.#weather.losesAcknowledgement();
    process.time
      .awake()
      .then(() => process.machine.run(() => call.work(process)))
      .then(
        (value) => {
          if (isLost || isOver) return;
          this.#scheduler.note(`${process.machine.name} answers ${call.what}`);
          if (!call.onAnswer(value)) again();
          isOver = true;
        },
        (error: unknown) => {
          this.#scheduler.note(`${process.machine.name} fails ${call.what}: ${String(error)}`);
          again();
        },
      );
    this.#scheduler.after(timeoutMs, again);
  }

  #later<Value>(call: ServiceCall<Value>, times: number): void {
    const soonMs = this.#draws.whole(1, maxAgainSeconds) * secondMs;
    const waitMs = call.waitsMs === undefined ? 0 : call.waitsMs[times];
    if (waitMs === undefined) return;
    this.#scheduler.after(soonMs + waitMs, () => this.make(call, times + 1));
  }
}
