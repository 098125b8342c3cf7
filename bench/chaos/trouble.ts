import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Seeded } from '../../test/kits/seeded.ts';
import type { Fleet, Member } from './fleet.ts';
import type { HungBackends } from './hung-backends.ts';

/** What is done to the processes, and how often each was. */
export type Done = Record<keyof typeof actions, number>;

const actions = {
  kill: 20,
  pause: 24,
  set_clock: 30,
  cut_connections: 14,
  hang_backends: 6,
  rest: 12,
} as const;

/** Within what is allowed, and beyond: minutes apart at most. */
const distances = { none: 35, within: 30, beyond: 35 } as const;

export interface Trouble {
  readonly done: Done;
  /** Sets everything right: all run, with the right time. */
  end(): Promise<void>;
}

/** Troubles the fleet until it is ended. */
export function startTrouble(
  random: Seeded,
  input: {
    readonly fleet: Fleet;
    readonly database: Pool;
    readonly backends: HungBackends;
  },
): Trouble {
  const { fleet, database, backends } = input;
  const done: Done = {
    kill: 0,
    pause: 0,
    set_clock: 0,
    cut_connections: 0,
    hang_backends: 0,
    rest: 0,
  };
  let isOver = false;
  const late: Promise<unknown>[] = [];
  const faults: unknown[] = [];

  function later(work: () => Promise<void>): void {
    late.push(work().then(undefined, (error: unknown) => faults.push(error)));
  }

  async function act(name: keyof Done, member: Member): Promise<void> {
    const isUp = member.urls !== undefined && !member.isStopped;
    switch (name) {
      case 'kill':
        if (!isUp) return;
        done.kill += 1;
        await fleet.kill(member);
        later(async () => {
          await sleep(random.int(0, 3_000));
          await startAgain(fleet, member);
        });
        return;
      case 'pause':
        if (!isUp) return;
        done.pause += 1;
        fleet.pause(member);
        later(async () => {
          await sleep(random.int(300, 20_000));
          fleet.resume(member);
        });
        return;
      case 'set_clock':
        done.set_clock += 1;
        fleet.setClock(member, distanceOf(random));
        return;
      case 'cut_connections':
        done.cut_connections += 1;
        await database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where pid <> pg_backend_pid() and datname = current_database()
             and backend_type = 'client backend' and random() < 0.5`,
        );
        return;
      case 'hang_backends': {
        done.hang_backends += 1;
        const wake = await backends.stop();
        later(async () => {
          await sleep(random.int(300, 15_000));
          wake();
        });
        return;
      }
      case 'rest':
        done.rest += 1;
    }
  }

  async function loop(): Promise<void> {
    const [first, ...others] = fleet.members;
    if (first === undefined) return;
    while (!isOver) {
      await act(random.weighted(actions), random.pick([first, ...others]));
      await sleep(random.int(300, 2_500));
    }
  }

  // A fault of the trouble itself is told at its end: until then others wait for nothing of it.
  const looping = loop().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  return {
    done,
    async end() {
      isOver = true;
      const fault = await looping;
      await Promise.all(late);
      if (fault !== undefined) throw fault.error;
      if (faults.length > 0) throw faults[0];
      for (const member of fleet.members) {
        fleet.setClock(member, 0);
        if (member.urls === undefined) await startAgain(fleet, member);
      }
    },
  };
}

/** A start may fail where its connection was cut: a process manager starts it again. */
async function startAgain(fleet: Fleet, member: Member): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    try {
      await fleet.start(member);
      return;
    } catch {
      await fleet.kill(member);
      await sleep(500);
    }
  }
  throw new Error(`${member.name} could not be started again`);
}

function distanceOf(random: Seeded): number {
  switch (random.weighted(distances)) {
    case 'none':
      return 0;
    case 'within':
      return random.int(-1_700, 1_700);
    case 'beyond':
      return random.int(2_500, 150_000) * random.pick([-1, 1]);
  }
}
