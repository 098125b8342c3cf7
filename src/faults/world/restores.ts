import type pg from 'pg';
import { dayMs, hourMs, minuteMs } from '../../domain/clock.ts';
import { type Backup, takeBackup } from '../database/backup.ts';
import type { WorldRecord } from '../record.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { AccountChanges } from './account-changes.ts';
import type { Fleet } from './fleet.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Told } from './told.ts';

export interface RestoreDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly admin: pg.Client;
  readonly fleet: Fleet;
  readonly accounts: AccountChanges;
  readonly record: WorldRecord;
  readonly told: readonly Told[];
}

/** Longer than any request to a PSP is on its way. */
const minDownMs = 2 * minuteMs;
const maxDownMs = 30 * minuteMs;
/** Whoever told something since the backup tells it again within this time. */
const maxToldAgainMs = 6 * hourMs;
/** A background job that was cut off is begun again after so long. */
const lookEveryMs = 5 * minuteMs;

/**
 * Takes a backup at one moment, and at a later one puts it in the place of the database, as
 * docs/operating.md says: all processes end, start again with RESTORED_FROM, and whoever told something
 * meanwhile tells it again.
 */
export function planRestore(deps: RestoreDeps, days: number): void {
  const { scheduler, fleet, record } = deps;
  const draws = deps.draws.fork('restore');
  const backupAfterMs = (0.1 + 0.5 * draws.unit()) * days * dayMs;
  const sinceMs = hourMs + draws.unit() ** 2 * 0.3 * days * dayMs;

  async function goBack(backup: Backup, backupMs: number): Promise<void> {
    // What was connected since is to be connected again before any worker starts: not played here.
    if (deps.accounts.lastMs > backupMs) return;
    await fleet.stop();
    await backup.restore();
    scheduler.note('the database is restored from a backup');
    const downMs = minDownMs + draws.unit() ** 2 * (maxDownMs - minDownMs);
    scheduler.after(downMs, () => comeBack(backupMs));
  }

  function comeBack(backupMs: number): void {
    const atMs = scheduler.nowMs();
    record.restores.push({ backupMs, atMs });
    fleet.startAgain(new Date(backupMs));
    checkUntilDone(deps);
    for (const each of deps.told.filter((told) => told.atMs > backupMs && told.atMs <= atMs)) {
      scheduler.after(draws.unit() * maxToldAgainMs, () => each.again());
    }
  }

  scheduler.after(backupAfterMs, async () => {
    const backupMs = scheduler.nowMs();
    const backup = await takeBackup(deps.admin);
    scheduler.note('a backup is taken');
    scheduler.after(sinceMs, () => goBack(backup, backupMs));
  });
}

/** As the background jobs do: by one process at a time, again by another where that one died. */
function checkUntilDone({ scheduler, fleet }: RestoreDeps): void {
  let runner: ServiceProcess | undefined;
  let isDone = false;
  const begin = (process: ServiceProcess) => {
    runner = process;
    const end = (words: string) => {
      scheduler.note(`${process.machine.name} ${words}`);
      if (runner === process) runner = undefined;
    };
    const check = () => process.machine.run(() => process.checkRestored());
    process.time
      .awake()
      .then(check)
      .then(
        (isOver) => {
          isDone ||= isOver;
          end('has checked what was charged since the backup');
        },
        (error: unknown) => end(`fails to check what was charged: ${String(error)}`),
      );
  };
  const look = () => {
    if (isDone) return;
    const free = runner?.machine.isAlive === true ? undefined : fleet.pick();
    if (free !== undefined) begin(free);
    scheduler.after(lookEveryMs, look);
  };
  look();
}
