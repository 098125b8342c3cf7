import type { OpenChargesJson, PspAccountJson } from '../../api/generated/psp-connections.ts';
import { count } from '../../parts/count.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { shortTime } from '../../parts/format-time.ts';
import { pspTitle } from '../../parts/psp-name.ts';

/** How many charges are open, over how much, since when. */
export function openText({
  count: open,
  amounts,
  oldest_sent_at: oldest,
}: OpenChargesJson): string {
  const sums = amounts.map(({ amount, currency }) => formatAmount(amount, currency)).join(', ');
  return `${count(open, 'charge', 'charges')} (${sums}), the oldest sent ${shortTime(new Date(oldest))}`;
}

/** What becomes of the credentials of an account that nothing is charged through any more. */
export function keptText(open: OpenChargesJson | undefined): string {
  if (open === undefined) return 'Nothing is open there, so its credentials are destroyed soon.';
  return `Open there: ${openText(open)}. Its credentials are kept for their look-ups alone, and destroyed when they are resolved.`;
}

export function replacedText(retired: {
  readonly version: number;
  readonly open?: OpenChargesJson;
}) {
  return `It replaced another account. ${keptText(retired.open)}`;
}

/** What is open at the accounts that a new one would replace. */
export function openBefore(accounts: readonly PspAccountJson[]): string {
  const open = accounts.flatMap((account) =>
    account.open === undefined ? [] : [`${pspTitle(account.psp)}: ${openText(account.open)}.`],
  );
  if (open.length === 0) return '';
  return `Open at present accounts, and looked up there in any case: ${open.join(' ')}`;
}
