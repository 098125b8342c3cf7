import { secondMs } from '../../domain/clock.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Machine } from '../schedule/machine.ts';
import { type ProcessDeps, type ServiceProcess, startServiceProcess } from './service-process.ts';
import type { Swarm } from './swarm.ts';
import type { Weather } from './weather.ts';

export interface FleetDeps extends ProcessDeps {
  readonly weather: Weather;
  readonly swarm: Swarm;
}

const maxRestartMs = 300 * secondMs;
/** A blow comes so soon after the moment that it was drawn at. */
const maxBlowMs = 50;

/** The processes of the service: started, struck, killed, started again. */
export class Fleet {
  readonly #deps: FleetDeps;
  readonly #draws: Draws;
  readonly #slots: (ServiceProcess | undefined)[] = [];
  #started = 0;
  #hasBegun = false;
  #hasEnded = false;
  #isStopped = false;
  #restoredFrom: Date | undefined;

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    this.#draws = deps.draws.fork('fleet');
  }

  processes(): readonly ServiceProcess[] {
    return this.#slots.filter((slot) => slot !== undefined);
  }

  /** A process that can be called now; undefined while none is up. */
  pick(): ServiceProcess | undefined {
    const nowMs = this.#deps.scheduler.nowMs();
    const able = this.processes().filter(({ machine }) => machine.heldUntilMs <= nowMs);
    return able.length === 0 ? undefined : this.#draws.pick(able);
  }

  /** The first one, for what comes before the faults. */
  startFirst(): ServiceProcess {
    return this.#start(0);
  }

  begin(): void {
    this.#hasBegun = true;
    this.#startAll();
  }

  /** At a moment of a process's life: now and then something happens to it. */
  strike(machine: Machine): void {
    this.processes()
      .find((process) => process.machine === machine)
      ?.time.touch();
    if (!this.#hasBegun) return;
    const blow = this.#deps.weather.blow();
    if (blow === 'none') return;
    // Not at once: whoever is running now runs on to its next wait.
    this.#deps.scheduler.after(this.#draws.unit() * maxBlowMs, () => {
      const slot = this.#slots.findIndex((process) => process?.machine === machine);
      if (slot < 0) return;
      if (blow === 'killed') this.#kill(slot);
      else if (blow === 'clock_set') machine.setWall(this.#apart());
      else this.#hold(machine, blow);
    });
  }

  /** Every process runs, and all clocks are right. */
  recover(): void {
    this.#startAll();
  }

  /** Every process ends, and none starts by itself. */
  async stop(): Promise<void> {
    const { scheduler, database } = this.#deps;
    this.#isStopped = true;
    for (const [slot, process] of this.#slots.entries()) {
      if (process === undefined) continue;
      this.#slots[slot] = undefined;
      process.machine.kill();
      scheduler.note(`${process.machine.name} is stopped`);
    }
    await database.endAll();
  }

  /** All of them start, told of the backup that the database was restored from. */
  startAgain(restoredFrom: Date): void {
    this.#isStopped = false;
    this.#restoredFrom = restoredFrom;
    this.#startAll();
  }

  end(): void {
    this.#hasEnded = true;
    for (const slot of this.#slots) slot?.machine.kill();
  }

  #startAll(): void {
    for (let slot = 0; slot < this.#deps.swarm.workers; slot += 1) {
      this.#kill(slot);
      if (this.#slots[slot] === undefined) this.#start(slot);
    }
  }

  #start(slot: number): ServiceProcess {
    const { scheduler, swarm, weather } = this.#deps;
    this.#started += 1;
    const isApart = this.#hasBegun && !weather.isCalm;
    const process = startServiceProcess(this.#deps, {
      name: `w${slot + 1}.${this.#started}`,
      offsetMs: isApart ? this.#apart() : 0,
      drift: isApart ? (2 * this.#draws.unit() - 1) * swarm.clocks.maxDrift : 0,
      restoredFrom: this.#restoredFrom,
    });
    this.#slots[slot] = process;
    scheduler.note(`${process.machine.name} starts`);
    return process;
  }

  #kill(slot: number): void {
    const { scheduler, weather, database } = this.#deps;
    const process = this.#slots[slot];
    if (process === undefined || this.#hasEnded) return;
    this.#slots[slot] = undefined;
    process.machine.kill();
    scheduler.note(`${process.machine.name} is killed`);
    scheduler.after(0, () => database.endSessionsOf(process.machine));
    const waitMs = weather.isCalm ? secondMs : Math.ceil(this.#draws.unit() ** 2 * maxRestartMs);
    scheduler.after(waitMs, () => {
      const isFree = this.#slots[slot] === undefined && !this.#isStopped;
      if (isFree && !this.#hasEnded) this.#start(slot);
    });
  }

  #hold(machine: Machine, how: 'held' | 'suspended'): void {
    const { scheduler, swarm } = this.#deps;
    const forMs = Math.ceil(this.#draws.unit() ** 2 * swarm.processes.maxHeldMs);
    const untilMs = scheduler.nowMs() + forMs;
    if (how === 'held') machine.holdUntil(untilMs);
    else machine.suspendUntil(untilMs);
    scheduler.note(`${machine.name} is ${how} for ${forMs} ms`);
  }

  #apart(): number {
    const { maxOffsetMs } = this.#deps.swarm.clocks;
    return Math.round((2 * this.#draws.unit() - 1) * maxOffsetMs);
  }
}
