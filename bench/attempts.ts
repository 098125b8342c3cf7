import { type AttemptWorld, startAttemptWorld } from './kit/attempt-world.ts';
import { insertPayments, type NewPayments } from './kit/payments.ts';
import { inRounds, print, report } from './kit/report.ts';
import { median, percentile } from './kit/statistics.ts';

const perRound = 4_000;
const budget = 0.5;
const backlog = 1_000_000;
const backlogBudget = 0.9;
const dueBudget = 0.8;
const dayMs = 86_400_000;

/** Full attempts: final check, charge, record and webhook over real HTTP, beside the bare calls. */
export async function attempts(): Promise<void> {
  await using world = await startAttemptWorld();
  await world.bareAttempts(perRound);
  await world.attempts(perRound);
  const logBytes: number[] = [];
  const rounds = await inRounds({
    floor: () => world.bareAttempts(perRound),
    async subject() {
      const round = await world.attempts(perRound);
      logBytes.push(round.logBytes);
      return round;
    },
  });
  report('attempts', { ...rounds, budget });
  const { inserted, updated, hotShare, deleted } = await world.written();
  print(
    `  written by one: ${(inserted + updated + deleted).toFixed(1)} rows (${inserted.toFixed(1)} inserted, ` +
      `${updated.toFixed(1)} updated, ${(100 * hotShare).toFixed(0)} % of them within their page and ` +
      `no index), ${(median(logBytes) / 1000).toFixed(1)} kB of log`,
  );
}

/** The same with a million payments scheduled for later, beside the empty backlog; and lateness. */
export async function backlogged(): Promise<void> {
  await using empty = await startAttemptWorld();
  await using full = await startAttemptWorld();
  const now = Date.now();
  await fill(full, {
    label: 'later',
    from: new Date(now + dayMs),
    to: new Date(now + 28 * dayMs),
  });
  await empty.attempts(perRound);
  await full.attempts(perRound);
  const rounds = await inRounds({
    floor: () => empty.attempts(perRound),
    subject: () => full.attempts(perRound),
  });
  report('attempts with 1 M scheduled', { ...rounds, budget: backlogBudget });

  const spreadMs = 8_000;
  const from = new Date(Date.now() + 1_000);
  const count = 800;
  await full.merchants.call('lateness', undefined);
  await insertPayments(full.client, {
    merchantIds: full.merchantIds,
    count,
    label: 'spread',
    from,
    to: new Date(from.getTime() + spreadMs),
    namesDue: true,
  });
  await full.worker.call('startLoops', undefined);
  await full.merchants.call('taken', { webhooks: count });
  await full.worker.call('stopLoops', undefined);
  const latenessMs = await full.merchants.call('lateness', undefined);
  const memory = await full.worker.call('maxMemory', undefined);
  print(
    `  due to check: p50 ${percentile(latenessMs, 50)} ms, p99 ${percentile(latenessMs, 99)} ms ` +
      `(budget 1000 ms); worker's memory at most ${(memory / 1e6).toFixed(0)} MB (budget 250 MB)`,
  );
}

/** A backlog of payments that are due between two times. */
function fill(
  { client, merchantIds }: AttemptWorld,
  of: Pick<NewPayments, 'label' | 'from' | 'to'>,
): Promise<void> {
  return insertPayments(client, { merchantIds, count: backlog, namesDue: false, ...of });
}

/** What an outage leaves behind: attempts while a million payments are due, beside the empty backlog. */
export async function due(): Promise<void> {
  await using empty = await startAttemptWorld();
  await using full = await startAttemptWorld();
  const now = Date.now();
  await fill(full, { label: 'due', from: new Date(now - dayMs), to: new Date(now) });
  await full.client.query('vacuum analyze');
  await empty.attempts(perRound);
  await full.attemptsOfDue(perRound);
  const rounds = await inRounds({
    floor: () => empty.attempts(perRound),
    subject: () => full.attemptsOfDue(perRound),
  });
  report('attempts with 1 M due', { ...rounds, budget: dueBudget });
}
