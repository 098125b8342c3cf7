import { addMs, hourMs } from '../clock.ts';
import type { CardAttempt, ProposedCharge } from './card-attempt.ts';
import type { Figure } from './dated.ts';
import { type Block, byTime, within } from './windows.ts';

/** The largest debit, in paise, that an e-mandate allows without another authentication. */
export const maxIndiaAmountMinor: readonly Figure<number>[] = [{ value: 1_500_000, source: 'rbi' }];

/** How long before each debit the cardholder is told. */
export const indiaNoticeMs: readonly Figure<number>[] = [{ value: 24 * hourMs, source: 'rbi' }];

/**
 * What the Reserve Bank of India has against a charge that the cardholder does not make themselves.
 * Amounts in other currencies are not judged: nothing tells the rate.
 */
export function indiaBlocks(
  attempts: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly Block[] {
  const { at, issuerCountry, initiator, amountMinor, currency } = proposed;
  if (issuerCountry !== 'IN' || initiator !== 'mit') return [];
  const blocks: Block[] = [];
  const [max] = maxIndiaAmountMinor;
  if (max !== undefined && currency === 'INR' && amountMinor > max.value) {
    blocks.push({ rule: 'india.amount' });
  }
  const [notice] = indiaNoticeMs;
  const latest = attempts
    .filter(({ invoiceId }) => invoiceId === proposed.invoiceId)
    .toSorted(byTime)
    .at(-1);
  if (notice !== undefined && latest !== undefined) {
    const isTooSoon = within([latest], at, notice.value).length > 0;
    if (isTooSoon) blocks.push({ rule: 'india.notice', until: addMs(latest.at, notice.value) });
  }
  return blocks;
}
