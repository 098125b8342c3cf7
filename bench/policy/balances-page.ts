import { unitAt } from '../../src/simulator/draws.ts';

export interface ChargeResult {
  readonly account: string;
  readonly recovered: boolean;
  readonly tries: number;
}

/** A policy on the charges of one half of the accounts. */
export interface CellResult {
  readonly name: string;
  readonly words: string;
  readonly charges: readonly ChargeResult[];
}

export interface BalancesCell {
  readonly amount: number;
  readonly maxAttempts: number;
  readonly windowDays: number;
  /** Both ways: the policies of one half, then of the other. */
  readonly results: readonly CellResult[];
}

const draws = 400;

const intro = `# Policies on real balances

A charge passes where the day's balance covers it; seven monthly charges an account, those of its first 90
days being past alone. Trained on one half of the accounts, tested on the other, both ways. ± is half of a
95 % interval of the difference to the even spread, by the bootstrap over accounts.
`;

/** A cell's table; the first one with the page's head. */
export function balancesPage(cell: BalancesCell, isFirst: boolean): string {
  const { amount, maxAttempts, windowDays, results } = cell;
  const names = [...new Set(results.map(({ name }) => name))];
  const both = names.map((name) => ({
    name,
    words: [...new Set(results.filter((one) => one.name === name).map(({ words }) => words))],
    charges: results.filter((one) => one.name === name).flatMap(({ charges }) => charges),
  }));
  const even = both.find(({ name }) => name === 'even')?.charges ?? [];
  const rows = both.map(({ name, words, charges }) => {
    const halves = results
      .filter((one) => one.name === name)
      .map((one) => percent(rate(one.charges)));
    const { value, half } = difference(charges, even);
    const against = name === 'even' ? '' : `${signed(value)} ± ${(half * 100).toFixed(1)}`;
    const tries = charges.reduce((sum, item) => sum + item.tries, 0) / Math.max(1, charges.length);
    const cells = [
      name,
      percent(rate(charges)),
      ...halves,
      against,
      tries.toFixed(2),
      words.join('; '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `${isFirst ? intro : ''}
## ${maxAttempts} tries in ${windowDays} days, charges of ${amount.toLocaleString('en-US')}

${even.length} failed charges of ${new Set(even.map(({ account }) => account)).size} accounts.

| policy | recovered, % | first half | second half | to even | tries | chosen on the training half |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function rate(charges: readonly ChargeResult[]): number {
  return charges.filter(({ recovered }) => recovered).length / Math.max(1, charges.length);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function signed(share: number): string {
  return `${share < 0 ? '' : '+'}${percent(share)}`;
}

/** The difference of two policies on the same charges, with half of its interval. */
function difference(
  policy: readonly ChargeResult[],
  other: readonly ChargeResult[],
): { readonly value: number; readonly half: number } {
  const accounts = new Map<string, { gain: number; count: number }>();
  policy.forEach(({ account, recovered }, at) => {
    const known = accounts.get(account) ?? { gain: 0, count: 0 };
    known.gain += Number(recovered) - Number(other[at]?.recovered ?? false);
    known.count += 1;
    accounts.set(account, known);
  });
  const all = [...accounts.values()];
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
  const value = all.reduce((sum, { gain }) => sum + gain, 0) / Math.max(1, policy.length);
  return { value, half: (bound(0.975) - bound(0.025)) / 2 };
}
