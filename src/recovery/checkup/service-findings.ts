import { maxClockDistanceMs, minuteMs, secondMs } from '../../domain/clock.ts';
import { errorRegistry } from '../../domain/errors.ts';
import type { InvariantView } from '../accounting/accounting-ports.ts';
import type { DatabaseState, LateWork, ProcessClock } from './checkup-ports.ts';
import type { Finding } from './finding.ts';

/** What the figures of the service itself mean. */

const slowRoundTripMs = 100;
/** A second is more than synchronised clocks differ by. */
const clockWarningMs = secondMs;
/** The oldest major version that tests have run on is 18; 14 has every construct that is used. */
const oldestMajor = 14;

export function databaseFindings(state: DatabaseState): readonly Finding[] {
  return [versionFinding(state), migrationFinding(state), wallFinding(state), clockFinding(state)];
}

function versionFinding({ serverVersion, roundTripMs }: DatabaseState): Finding {
  const found = `PostgreSQL ${serverVersion} answers in ${Math.round(roundTripMs)} ms.`;
  if (Number.parseInt(serverVersion, 10) < oldestMajor) {
    const action = `Upgrade PostgreSQL; version ${oldestMajor} is the oldest supported.`;
    return { check: 'database', verdict: 'bad', found, action };
  }
  if (roundTripMs <= slowRoundTripMs) return { check: 'database', verdict: 'good', found };
  const action = 'Move the service closer to the database: each attempt queries it several times.';
  return { check: 'database', verdict: 'warning', found, action };
}

function migrationFinding(state: DatabaseState): Finding {
  const { missingMigrations, unknownMigrations, addedMigrations } = state;
  if (unknownMigrations.length > 0) {
    return {
      check: 'migrations',
      verdict: 'bad',
      found: `A newer version has changed the database (${unknownMigrations.join(', ')}).`,
      action: 'Run that version everywhere, or restore the backup from before it.',
    };
  }
  if (missingMigrations.length > 0) {
    return {
      check: 'migrations',
      verdict: 'bad',
      found: `The database lacks ${missingMigrations.join(', ')}.`,
      action:
        'Run recoup migrate of this version, or restart one process of it without MIGRATE_ON_START=false.',
    };
  }
  if (addedMigrations.length > 0) {
    return {
      check: 'migrations',
      verdict: 'warning',
      found: `A newer version has added to the database (${addedMigrations.join(', ')}); this version can still run on it.`,
      action: 'Finish the upgrade: start that version everywhere.',
    };
  }
  return { check: 'migrations', verdict: 'good', found: 'The database has this version.' };
}

function wallFinding({ wallLacks }: DatabaseState): Finding {
  if (wallLacks === undefined) {
    const found = 'Merchants are served behind row-level security.';
    return { check: 'wall', verdict: 'good', found };
  }
  return {
    check: 'wall',
    verdict: 'warning',
    found: `The database has no second wall between merchants; it lacks ${wallLacks}.`,
    action: 'Create the roles as described in docs/operating.md, and restart every process.',
  };
}

function clockFinding({ clockAheadMs }: DatabaseState): Finding {
  const distanceMs = Math.abs(clockAheadMs);
  const seconds = (distanceMs / secondMs).toFixed(1);
  const words = clockAheadMs < 0 ? 'behind' : 'ahead of';
  const found = `The database's clock is ${seconds} s ${words} this process's.`;
  if (distanceMs < clockWarningMs) return { check: 'clock', verdict: 'good', found };
  const action = 'Synchronise the clocks of both machines (NTP).';
  return {
    check: 'clock',
    verdict: distanceMs < maxClockDistanceMs ? 'warning' : 'bad',
    found,
    action,
  };
}

/** Each process that takes no work since its time cannot be trusted; nothing of the others. */
export function processFindings(clocks: readonly ProcessClock[]): readonly Finding[] {
  return clocks.flatMap(({ processId, roles, held }): readonly Finding[] => {
    if (held === undefined) return [];
    const found = `${processId} (${roles.join(', ')}) takes no work: ${held.message}`;
    return [{ check: 'clock', verdict: 'bad', found, action: errorRegistry[held.code].action }];
  });
}

const bytesPerGibibyte = 1024 ** 3;
/** Room for a day of write-ahead log of a busy service, and for a look at what fills it. */
const diskWarningBytes = 5 * bytesPerGibibyte;
const diskBadBytes = bytesPerGibibyte;

export function diskFinding(
  disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined,
): Finding {
  if (disk === undefined) {
    return { check: 'disk', verdict: 'good', found: 'This process keeps no data on a disk.' };
  }
  const gibibytes = (disk.freeBytes / bytesPerGibibyte).toFixed(1);
  const found = `${gibibytes} GiB are free where the data folder is.`;
  if (disk.freeBytes >= diskWarningBytes) return { check: 'disk', verdict: 'good', found };
  const action = 'Free disk space: a full disk stops the database, and with it every answer.';
  const verdict = disk.freeBytes >= diskBadBytes ? 'warning' : 'bad';
  return { check: 'disk', verdict, found, action };
}

export function invariantFinding(invariants: readonly InvariantView[]): Finding {
  const broken = invariants.filter((item) => item.breaches > 0);
  if (broken.length === 0) {
    return { check: 'invariants', verdict: 'good', found: `All ${invariants.length} hold.` };
  }
  return {
    check: 'invariants',
    verdict: 'bad',
    found: `Broken: ${broken.map(({ name, breaches }) => `${name} (${breaches})`).join(', ')}.`,
    action: 'Stop the workers (ROLES without worker), keep the database as it is and report it.',
  };
}

/** Work that waits longer than this is late: what is due is taken within a second or so. */
export const lateAfterMs = 5 * minuteMs;

export function lateFinding(late: readonly LateWork[]): Finding {
  if (late.length === 0) {
    return { check: 'late_work', verdict: 'good', found: 'No due work waits.' };
  }
  const parts = late.map(
    ({ table, count, oldestDueAt }) => `${count} of ${table} since ${oldestDueAt.toISOString()}`,
  );
  return {
    check: 'late_work',
    verdict: 'bad',
    found: `Late: ${parts.join('; ')}.`,
    action: 'Check that a process with the role worker is running; add one if all are busy.',
  };
}

export function unresolvedFinding(count: number): Finding {
  if (count === 0) {
    const found = 'No charge waits for a person.';
    return { check: 'unknown_charges', verdict: 'good', found };
  }
  return {
    check: 'unknown_charges',
    verdict: 'warning',
    found: `${count} charges have no known outcome and are no longer looked up.`,
    action: 'Run recoup unknown-charges list, look each one up at its processor, and resolve it.',
  };
}
