import { dayOfMonth } from '../../policy/learned/local-time.ts';
import type { AccountBalances } from './read-balances.ts';

/** A monthly charge that the account's balance did not cover. Days are places in its balances. */
export interface FailingCharge {
  readonly account: AccountBalances;
  readonly day: number;
  readonly amount: number;
  readonly windowDays: number;
  /** The same subscription's earlier charges, the oldest first. */
  readonly past: readonly { readonly day: number; readonly succeeded: boolean }[];
}

/** Days of the month on which an account is charged: seven subscriptions of their own. */
const chargeDates = [1, 5, 9, 13, 17, 21, 25] as const;
/** Charges of an account's first days are past alone: young accounts are still being filled. */
const pastDays = 90;

/** All monthly charges of an amount that fail and whose window lies inside the file. */
export function failingCharges(
  accounts: readonly AccountBalances[],
  { amount, windowDays }: { readonly amount: number; readonly windowDays: number },
): readonly FailingCharge[] {
  return accounts.flatMap((account) =>
    chargeDates.flatMap((date) => ofSubscription(account, date, amount, windowDays)),
  );
}

function ofSubscription(
  account: AccountBalances,
  date: number,
  amount: number,
  windowDays: number,
): readonly FailingCharge[] {
  const { firstDay, balances } = account;
  const past: { day: number; succeeded: boolean }[] = [];
  const failing: FailingCharge[] = [];
  balances.forEach((balance, day) => {
    if (dayOfMonth(firstDay + day) !== date) return;
    const succeeded = balance >= amount;
    if (!succeeded && day >= pastDays && day + windowDays < balances.length) {
      failing.push({ account, day, amount, windowDays, past: past.slice() });
    }
    past.push({ day, succeeded });
  });
  return failing;
}
