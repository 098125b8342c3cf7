import { setTimeout as wait } from 'node:timers/promises';
import { showInvariants } from '../src/recovery/accounting/show-invariants.ts';
import { createControlStore } from '../src/store/control-totals/control-store.ts';
import { openDatabase } from '../src/store/database.ts';
import { createCheckStore } from '../src/store/invariants/check-store.ts';
import { type AttemptWorld, startAttemptWorld } from './kit/attempt-world.ts';
import { allDelivered, insertPayments } from './kit/payments.ts';
import { print } from './kit/report.ts';
import { median, percentile } from './kit/statistics.ts';

const share = 0.7;
const minuteMs = 60_000;
const defaultMinutes = 30;
const burst = 4_000;
const bursts = 3;

/**
 * So many minutes (`--minutes=`) of attempts at 70 % of what the machine makes of a burst: what each minute's
 * payments waited for after they fell due, what the worker held, and in the end who counts what: the
 * ledger of the PSP, the merchants' servers, the service.
 */
export async function soak(): Promise<void> {
  await using world = await startAttemptWorld();
  await world.attempts(burst);
  const rates: number[] = [];
  for (let n = 0; n < bursts; n += 1) rates.push((await world.attempts(burst)).perSecond);
  const perMinute = Math.floor(share * median(rates) * 60);
  print(
    `soak: a burst makes ${median(rates).toFixed(0)} attempts a second; ${perMinute} a minute now`,
  );
  const before = (bursts + 1) * burst;
  const count = await steady(world, perMinute);
  await tellCounts(world, before + count);
}

async function steady(world: AttemptWorld, perMinute: number): Promise<number> {
  const { worker, merchants, client, merchantIds } = world;
  await worker.call('startLoops', undefined);
  await merchants.call('lateness', undefined);
  const minutes = wantedMinutes();
  let from = Date.now() + 1_000;
  for (let minute = 1; minute <= minutes; minute += 1) {
    const to = from + minuteMs;
    await insertPayments(client, {
      merchantIds,
      count: perMinute,
      label: `minute${minute}`,
      from: new Date(from),
      to: new Date(to),
      namesDue: true,
    });
    await wait(to - Date.now());
    from = to;
    const latenessMs = await merchants.call('lateness', undefined);
    const { rssBytes, heapBytes } = await worker.call('memory', undefined);
    print(
      `  minute ${minute}: ${latenessMs.length} asked, late p50 ${percentile(latenessMs, 50)} ms, ` +
        `p99 ${percentile(latenessMs, 99)} ms; worker ${(rssBytes / 1e6).toFixed(0)} MB, heap ` +
        `${(heapBytes / 1e6).toFixed(0)} MB`,
    );
  }
  const count = minutes * perMinute;
  await merchants.call('taken', { webhooks: count });
  await allDelivered(client);
  await worker.call('stopLoops', undefined);
  return count;
}

function wantedMinutes(): number {
  const wanted = process.argv.find((text) => text.startsWith('--minutes='));
  return wanted === undefined ? defaultMinutes : Number(wanted.slice('--minutes='.length));
}

/** Each side by its own count; the accounting identity as the service shows it. */
async function tellCounts(world: AttemptWorld, count: number): Promise<void> {
  const { charges, keys } = await world.chargesAtPsp();
  const { rows } = await world.client.query<{ recovered: number; delivered: number }>(
    `select (select count(*)::int from payments where state = 'recovered') as recovered,
            (select count(*)::int from deliveries where state = 'delivered') as delivered`,
  );
  const [own] = rows;
  print(
    `  payments ${count}; the PSP's successes ${charges} under ${keys} keys; recovered here ` +
      `${own?.recovered}, events delivered ${own?.delivered}`,
  );
  await using stack = new AsyncDisposableStack();
  const log = { info() {}, warn() {}, error() {} };
  const db = openDatabase({ log }, { connectionString: world.connectionString, poolSize: 2 });
  stack.defer(() => db.close());
  const { items } = await showInvariants({
    clock: { now: () => new Date() },
    control: createControlStore(db),
    checks: createCheckStore(db),
  });
  for (const { name, breaches } of items) print(`  ${name}: ${breaches} breaches`);
}
