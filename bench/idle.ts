import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './kit/child.ts';
import { cpuTimeMs } from './kit/cpu-time.ts';
import { print } from './kit/report.ts';
import type { ServiceCalls } from './processes/service.ts';

/**
 * A start leaves work behind, such as the dashboard's build, the first run of each background job and their garbage; and
 * a service is taken for idle after a minute.
 */
const settleMs = 120_000;
/** Work that comes round once a minute is in it once. */
const measuredMs = 60_000;
const budgetShare = 0.005;

/** What a whole service that nobody calls uses of a core, with its database. */
export async function idle(): Promise<void> {
  await using service = startChild<ServiceCalls>('service');
  const { postmasterPid } = await service.call('open', { roles: 'all' });
  await wait(settleMs);
  const used = async () => ({
    node: await service.call('cpuMs', undefined),
    database: cpuTimeMs(postmasterPid) ?? 0,
  });
  const before = await used();
  await wait(measuredMs);
  const after = await used();
  const node = (after.node - before.node) / measuredMs;
  const database = (after.database - before.database) / measuredMs;
  const share = node + database;
  print(
    `idle: ${(100 * share).toFixed(2)} % of a core, node ${(100 * node).toFixed(2)} and ` +
      `database ${(100 * database).toFixed(2)} (budget ${100 * budgetShare} %: ` +
      `${share <= budgetShare ? 'kept' : 'missed'})`,
  );
}
