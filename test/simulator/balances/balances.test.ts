import { describe, expect, it } from 'vitest';
import { failingCharges } from '../../../src/simulator/balances/failing-charges.ts';
import { playCharge, rowsOfCharge } from '../../../src/simulator/balances/play-charge.ts';
import { readBalances } from '../../../src/simulator/balances/read-balances.ts';
import { decidePolicy, randomPolicy } from '../../../src/simulator/policies/simple-policies.ts';

/** Poor until the 10th of each month, rich to its end; from November 2025 to April 2026. */
const monthly = [
  'account,date,balance',
  ...['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'].flatMap((month) => [
    `a,${month}-01,50`,
    `a,${month}-10,500.5`,
  ]),
  'b,2026-04-30,9',
].join('\n');

function accounts() {
  const read = readBalances(monthly);
  if (read.kind !== 'read') throw new Error(read.reason);
  return read.accounts;
}

describe('a file of balances', () => {
  it('keeps a balance until the next line, and to the last day of the file', () => {
    const [a, b] = accounts();
    expect(a?.balances).toHaveLength(181);
    expect([...(a?.balances.subarray(7, 11) ?? [])]).toEqual([50, 50, 500.5, 500.5]);
    expect([...(b?.balances ?? [])]).toEqual([9]);
  });

  it('is refused by its first wrong line', () => {
    expect(readBalances('account;date\n')).toMatchObject({ kind: 'malformed', line: 1 });
    const wrong = [
      ',2026-01-01,1',
      'a,soon,1',
      'a,2026-02-30,1',
      'a,2026-01-01,',
      'a,2026-01-01,much',
      // A balance with a comma in it would be read as 1 and as 1,234.
      'a,2026-01-01,1,234.56',
      'a,2026-01-01,1234,56',
    ];
    for (const line of wrong) {
      const text = `account,date,balance\nb,2026-01-01,1\n${line}`;
      expect(readBalances(text)).toMatchObject({ kind: 'malformed', line: 3 });
    }
  });

  it('fails where the balance does not cover the charge, after 90 days, inside the file', () => {
    const failing = failingCharges(accounts(), { amount: 100, windowDays: 28 });
    const dates = failing.map(({ account, day }) =>
      new Date((account.firstDay + day) * 86_400_000).toISOString().slice(0, 10),
    );
    expect(dates.sort()).toEqual([
      '2026-02-01',
      '2026-02-05',
      '2026-02-09',
      '2026-03-01',
      '2026-03-05',
      '2026-03-09',
      '2026-04-01',
    ]);
    expect(failingCharges(accounts(), { amount: 501, windowDays: 28 }).length).toBeGreaterThan(7);
    expect(failing[0]?.past).toEqual([
      { day: 0, succeeded: false },
      { day: 30, succeeded: false },
      { day: 61, succeeded: false },
    ]);
  });

  it('lets a try pass on the first day that covers it', () => {
    const [failing] = failingCharges(accounts(), { amount: 100, windowDays: 28 });
    if (failing === undefined) throw new Error('a charge fails');
    const play = (fixedDays: readonly number[]) =>
      playCharge(
        failing,
        decidePolicy('days', { kind: 'fixed', windowDays: 28, maxAttempts: 4, fixedDays }),
        { payment: 1, seesPast: false },
      );
    expect(play([3, 8])).toMatchObject({ recovered: false, triedDays: [3, 8] });
    expect(play([3, 9, 12])).toMatchObject({ recovered: true, triedDays: [3, 9] });
  });

  it('gives the log of a policy by chance, with what each choice could know', () => {
    const [failing] = failingCharges(accounts(), { amount: 100, windowDays: 28 });
    if (failing === undefined) throw new Error('a charge fails');
    const rows = rowsOfCharge(failing, randomPolicy(3, 4), { payment: 5, seesPast: true });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]?.facts.past).toHaveLength(3);
    expect(rows.every(({ propensity }) => propensity > 0 && propensity < 0.01)).toBe(true);
    expect(rows.map(({ facts }) => facts.tries.length)).toEqual(rows.map((_, at) => at));
    expect(rows.slice(0, -1).every(({ succeeded }) => !succeeded)).toBe(true);
  });
});
