import { unitAt } from '../../src/simulator/draws.ts';

/** A policy on all charges, in one halving of the accounts. */
export interface PolicyResult {
  readonly name: string;
  /** By charge, in the order of the accounts: 1 where it was recovered. */
  readonly recovered: Uint8Array;
  readonly tries: number;
  /** What was chosen, of each half that was trained on; empty where nothing was. */
  readonly words: readonly string[];
}

export interface BalancesCell {
  readonly amount: number;
  readonly maxAttempts: number;
  readonly windowDays: number;
  /** By charge. */
  readonly accounts: readonly string[];
  readonly halvings: readonly (readonly PolicyResult[])[];
}

const draws = 400;

const intro = `# Policies on real balances

A charge passes where the day's balance covers it; seven monthly charges an account, those of its first 90
days being past alone. Trained on one half of the accounts, tested on the other, both ways, for several
halvings, each with its own log. ± is half of a 95 % interval of the difference, by the bootstrap over accounts;
in brackets the halving in which it is lowest.
`;

/** A cell's table; the first one with the page's head. */
export function balancesPage(cell: BalancesCell, isFirst: boolean): string {
  const { amount, maxAttempts, windowDays, accounts, halvings } = cell;
  const names = halvings[0]?.map(({ name }) => name) ?? [];
  const rows = names.map((name) => {
    const shares = halvings.map((results) => percent(shareOf(find(results, name))));
    const found = halvings.map((results) => find(results, name));
    const tries = found.reduce((sum, item) => sum + item.tries, 0) / halvings.length;
    const cells = [
      name,
      percent(mean(found.map(shareOf))),
      [...new Set(shares)].length === 1
        ? ''
        : `${shares.toSorted()[0]} to ${shares.toSorted().at(-1)}`,
      name === 'even' ? '' : against(cell, name, 'even'),
      name === 'day of month' ? '' : against(cell, name, 'day of month'),
      (tries / Math.max(1, accounts.length)).toFixed(2),
      counted(found.flatMap(({ words }) => words)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `${isFirst ? intro : ''}
## ${maxAttempts} tries in ${windowDays} days, charges of ${amount.toLocaleString('en-US')}

${accounts.length} failed charges of ${new Set(accounts).size} accounts, ${halvings.length} halvings.

| policy | recovered, % | by halving | to even | to day of month | tries | chosen on the training halves |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function find(results: readonly PolicyResult[], name: string): PolicyResult {
  const found = results.find((item) => item.name === name);
  if (found === undefined) throw new Error(`there is no policy ${name}`);
  return found;
}

function shareOf({ recovered }: PolicyResult): number {
  return recovered.reduce((sum, one) => sum + one, 0) / Math.max(1, recovered.length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** How often each was chosen, as `coverage 10`. */
function counted(words: readonly string[]): string {
  return [...new Set(words)]
    .map((word) => `${word} ${words.filter((other) => other === word).length}`)
    .join(', ');
}

/** The difference of two policies on the same charges, its interval, and the lowest of a halving. */
function against({ accounts, halvings }: BalancesCell, name: string, other: string): string {
  const gains = new Float64Array(accounts.length);
  const lowest = Math.min(
    ...halvings.map((results) => {
      const [policy, yardstick] = [find(results, name), find(results, other)];
      gains.forEach((gain, at) => {
        const here = (policy.recovered[at] ?? 0) - (yardstick.recovered[at] ?? 0);
        gains[at] = gain + here / halvings.length;
      });
      return shareOf(policy) - shareOf(yardstick);
    }),
  );
  const half = halfInterval(accounts, gains);
  return `${signed(mean([...gains]))} ± ${percent(half)} (${signed(lowest)})`;
}

/** Half of the 95 % interval of a mean over charges, whole accounts being drawn. */
function halfInterval(accounts: readonly string[], gains: Float64Array): number {
  const sums = new Map<string, { gain: number; count: number }>();
  accounts.forEach((account, at) => {
    const known = sums.get(account) ?? { gain: 0, count: 0 };
    sums.set(account, { gain: known.gain + (gains[at] ?? 0), count: known.count + 1 });
  });
  const all = [...sums.values()];
  const means = Array.from({ length: draws }, (_, draw) => {
    let [gain, count] = [0, 0];
    for (let at = 0; at < all.length; at += 1) {
      const drawn = all[Math.floor(unitAt(1, draw, at, 9) * all.length)];
      gain += drawn?.gain ?? 0;
      count += drawn?.count ?? 0;
    }
    return gain / Math.max(1, count);
  }).sort((a, b) => a - b);
  const bound = (share: number) => means[Math.floor(share * (draws - 1))] ?? 0;
  return (bound(0.975) - bound(0.025)) / 2;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function signed(share: number): string {
  return `${share < 0 ? '' : '+'}${percent(share)}`;
}
