import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backTest } from '../../src/backtest/back-test.ts';
import { type Decision, decisionsOf, planInputOf } from '../../src/backtest/decisions.ts';
import { findEpisodes } from '../../src/backtest/episodes.ts';
import type { History } from '../../src/backtest/history.ts';
import { type BacktestPolicy, daysPolicy, evenPolicy } from '../../src/backtest/policies.ts';
import { readHistory } from '../../src/backtest/read-history.ts';
import { floorHourOf, hourOf } from '../../src/simulator/calendar.ts';
import { charge } from '../../src/simulator/charge.ts';
import { drawPayer } from '../../src/simulator/payer.ts';
import { cancelsAfterTry, ownEnd } from '../../src/simulator/payer-life.ts';
import { namedDays } from '../../src/simulator/policies/fixed-family.ts';
import { buildWorld, type World } from '../../src/simulator/world.ts';
import { writeHistoryFile } from '../kit/history-file.ts';
import { print } from '../kit/report.ts';

const terms = { windowDays: 28, maxAttempts: 8 } as const;
/** So many histories that chance moves a figure by half a hundredth of it. */
const seeds = Array.from({ length: 24 }, (_, at) => at + 2);
const rowsEach = 200_000;
const policies: readonly BacktestPolicy[] = [
  ...Object.entries(namedDays).map(([name, days]) => daysPolicy(name, days)),
  evenPolicy,
];

/**
 * What `recoup backtest` says that policies would have been worth, beside what the simulated world knows: the
 * share of tries at their times that succeed, over all decisions of the log's payers who by then had neither
 * paid otherwise nor cancelled. Several histories, since one alone is off by chance.
 */
export async function offPolicy(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-bench-'));
  const found = new Map<string, Compared[]>();
  try {
    for (const seed of seeds) {
      const path = join(folder, `${seed}.csv`);
      await writeHistoryFile({ path, rows: rowsEach, seed });
      for (const one of await compare(path, seed)) {
        found.set(one.policy, [...(found.get(one.policy) ?? []), one]);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const [policy, all] of found) print(lineOf(policy, all));
}

interface Compared {
  readonly policy: string;
  readonly truth: number;
  readonly estimates?: { readonly snips: number; readonly doublyRobust: number };
}

async function compare(path: string, seed: number): Promise<readonly Compared[]> {
  const read = await readHistory({ path, shape: 'auto', timeZone: 'UTC' });
  if (read.kind !== 'read') throw new Error(`the history was not read: ${read.kind}`);
  const { history } = read;
  const common = { terms: [terms], toleranceHours: 12, maxDecisions: Number.MAX_VALUE, seed: 1 };
  const [run] = backTest({ history, policies, ...common }).runs;
  const world = buildWorld({ seed, days: terms.windowDays });
  const decisions = findEpisodes(history).episodes.flatMap((episode) =>
    decisionsOf(history, episode, terms),
  );
  return policies.map((policy, at): Compared => {
    const verdict = run?.policies[at]?.perDecision;
    const truth = truthOf(policy, { history, world, decisions });
    if (verdict?.kind !== 'estimate') return { policy: policy.name, truth };
    const { snips, doublyRobust } = verdict;
    const estimates = { snips: snips.value, doublyRobust: doublyRobust?.value ?? Number.NaN };
    return { policy: policy.name, truth, estimates };
  });
}

function truthOf(
  policy: BacktestPolicy,
  of: { readonly history: History; readonly world: World; readonly decisions: readonly Decision[] },
): number {
  const { history, world, decisions } = of;
  const hourAt = (row: number) => hourOf(new Date(history.atMs[row] ?? 0));
  let [open, succeeded] = [0, 0];
  for (const decision of decisions) {
    const { episode, number, lastRow } = decision;
    const plan = planInputOf(history, decision, terms);
    const chosenMs = policy.nextTryMs({ plan, decision, terms, offsetMinutes: 0 });
    if (chosenMs === undefined) continue;
    // The file's payers come in the order of their numbers.
    const payer = drawPayer(world, episode.customer);
    // A charge of the payer's past that failed is told by its failure alone: the world has no recovery of it.
    if (hourAt(episode.rows[0] ?? 0) !== payer.failedHour) continue;
    const hour = Math.max(floorHourOf(new Date(chosenMs)), hourAt(lastRow) + 1);
    const hasCancelled = number > 0 && cancelsAfterTry(world, payer, hourAt(lastRow));
    // A card that is renewed meanwhile is tried at once, whatever the policy.
    const renewedHour = payer.cause.kind === 'lifecycle' ? payer.cause.curedHour : undefined;
    const isRenewed =
      renewedHour !== undefined && renewedHour > hourAt(lastRow) && renewedHour <= hour;
    if (hasCancelled || isRenewed || ownEnd(world, payer).hour <= hour) continue;
    const tried = episode.rows.slice(1, number + 1).map(hourAt);
    open += 1;
    if (charge(world, payer, hour, tried).kind === 'approved') succeeded += 1;
  }
  return succeeded / open;
}

function lineOf(policy: string, all: readonly Compared[]): string {
  const told = all.flatMap(({ truth, estimates }) => (estimates ? [{ truth, estimates }] : []));
  const truth = meanOf(all.map((one) => one.truth));
  const title = `off-policy: ${policy}: truth ${(100 * truth).toFixed(2)} %`;
  if (told.length === 0) return `${title}, refused`;
  const biasOf = (of: 'snips' | 'doublyRobust'): string => {
    const parts = told.map((one) => one.estimates[of] / one.truth - 1);
    const mean = meanOf(parts);
    const spread = Math.sqrt(meanOf(parts.map((part) => (part - mean) ** 2)));
    const error = spread / Math.sqrt(Math.max(1, parts.length - 1));
    return `${(100 * mean).toFixed(1)} % (± ${(100 * error).toFixed(1)})`;
  };
  const refused = all.length - told.length;
  return (
    `${title}, SNIPS off by ${biasOf('snips')}, DR by ${biasOf('doublyRobust')}` +
    (refused > 0 ? `, refused in ${refused} of ${all.length} histories` : '')
  );
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
