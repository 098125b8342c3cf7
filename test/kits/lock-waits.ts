import { vi } from 'vitest';

/** Of this database alone: the server has those of other test files besides. */
const waiting = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves when so many statements of a database, or more, wait for locks. */
export async function untilLockWaits(
  ask: (text: string) => Promise<readonly unknown[]>,
  count = 1,
): Promise<void> {
  const enough = async () => (await ask(waiting)).length >= count;
  await vi.waitUntil(enough, { timeout: 20_000, interval: 5 });
}
