import { dayMs, hourMs } from '../clock.ts';
import type { CardAttempt, ProposedCharge } from './card-attempt.ts';
import type { Figure } from './dated.ts';
import { inForce } from './dated.ts';
import { maxMastercardDaily } from './mastercard.ts';
import { adviceEffect } from './mastercard-advice.ts';
import type { FeeAmount, NetworkFee } from './network-fee.ts';
import type { RuleId } from './rules.ts';
import { maxVisaReattempts } from './visa.ts';
import { visaCategory } from './visa-categories.ts';
import { type Block, byTime, failed, freeAt, standingDeclines, within } from './windows.ts';

export const maxAmexDiscover: readonly Figure<number>[] = [
  { value: 20, source: 'hyperswitch', why: 'The same figure in 24 hours and in 30 days.' },
];
const dailyWindowMs = 24 * hourMs;
const monthlyWindowMs = 30 * dayMs;

export const maxEloMonthly: readonly Figure<number>[] = [{ value: 15, source: 'cieloElo' }];
/** From the sixteenth attempt of a month on, after two such months one after the other. */
export const eloFee: readonly Figure<FeeAmount>[] = [
  { value: { amountMicros: 800_000, currency: 'BRL' }, source: 'cieloElo' },
];
/** Brasilia has had no summer time since 2019. */
const brasiliaOffsetMs = -3 * hourMs;

export const maxSepaRetries: readonly Figure<number>[] = [{ value: 2, source: 'adyenSepa' }];
export const maxAchRetries: readonly Figure<number>[] = [{ value: 2, source: 'achGoCardless' }];

type Judge = (attempts: readonly CardAttempt[], proposed: ProposedCharge) => readonly Block[];

/** American Express and Discover. */
export function frequencyBlocks(rules: { readonly day: RuleId; readonly month: RuleId }): Judge {
  return (attempts, { at }) => {
    const max = inForce(maxAmexDiscover, at)?.value;
    const counted = attempts.filter(failed);
    return max === undefined
      ? []
      : [
          ...rolling(rules.month, counted, at, max, monthlyWindowMs),
          ...rolling(rules.day, counted, at, max, dailyWindowMs),
        ];
  };
}

export const eloBlocks: Judge = (attempts, { at }) => {
  const max = inForce(maxEloMonthly, at)?.value;
  const month = brasiliaMonth(at);
  const counted = attempts.filter(
    (attempt) => failed(attempt) && attempt.at.getTime() >= month.start.getTime(),
  );
  if (max === undefined || counted.length < max) return [];
  // The fee is due after two such months alone, and this one never becomes the first.
  return [{ rule: 'elo.attempts_month', until: month.end }];
};

/** The calendar month around an instant, by the clocks of Brasilia. */
function brasiliaMonth(at: Date): { readonly start: Date; readonly end: Date } {
  const local = new Date(at.getTime() + brasiliaOffsetMs);
  const first = (months: number): Date =>
    new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months) - brasiliaOffsetMs);
  return { start: first(0), end: first(1) };
}

/**
 * A direct debit: some reasons alone allow a retry, and few of them. It is counted by invoice. Where the method was
 * updated since, the reason was another account's or mandate's and is void; the counter goes on, as with cards.
 */
export function debitBlocks(input: {
  readonly reason: RuleId;
  readonly retries: RuleId;
  readonly reasons: readonly Figure<readonly string[]>[];
  readonly max: readonly Figure<number>[];
}): Judge {
  return (attempts, proposed) => {
    const own = attempts
      .filter(({ invoiceId }) => invoiceId === proposed.invoiceId)
      .toSorted(byTime);
    const blocks: Block[] = [];
    const latest = own.at(-1);
    const reasons = inForce(input.reasons, proposed.at)?.value ?? [];
    const isRetryable =
      latest?.outcome === 'approved' ||
      isOfFormer(latest, proposed.renewedAt) ||
      reasons.includes(reasonOf(latest));
    if (latest !== undefined && !isRetryable) blocks.push({ rule: input.reason });
    const max = inForce(input.max, proposed.at)?.value;
    if (max !== undefined && own.length > max) blocks.push({ rule: input.retries });
    return blocks;
  };
}

function isOfFormer(attempt: CardAttempt | undefined, renewedAt: Date | undefined): boolean {
  if (attempt?.outcome !== 'declined' || renewedAt === undefined) return false;
  return attempt.at.getTime() < renewedAt.getTime();
}

function reasonOf(attempt: CardAttempt | undefined): string {
  return attempt?.networkCode?.trim().toUpperCase() ?? '';
}

/** What any network would forbid, and the lowest limits: see the reasons at the rules. */
export const unknownBlocks: Judge = (attempts, proposed) => {
  const { at } = proposed;
  const standing = standingDeclines(attempts, proposed.renewedAt);
  const counted = attempts.filter(failed);
  const blocks: Block[] = [];
  const isClosed = standing.some(
    ({ networkCode, adviceCode, at: declinedAt }) =>
      (networkCode !== undefined && visaCategory(networkCode, undefined, declinedAt) === 1) ||
      adviceEffect(adviceCode).kind === 'never',
  );
  if (isClosed) blocks.push({ rule: 'unknown.forbidden' });
  const maxDaily = inForce(maxMastercardDaily, at)?.value ?? maxUnknownMonthly;
  return [
    ...blocks,
    ...rolling('unknown.attempts_30d', counted, at, maxUnknownMonthly, monthlyWindowMs),
    ...rolling('unknown.attempts_24h', counted, at, maxDaily, dailyWindowMs),
  ];
};

/** The lowest limit of 30 days that Visa ever had. */
const maxUnknownMonthly = Math.min(...maxVisaReattempts.map(({ value }) => value));

function rolling(
  rule: NetworkFee['rule'],
  counted: readonly CardAttempt[],
  at: Date,
  max: number,
  windowMs: number,
): readonly Block[] {
  const until = freeAt(within(counted, at, windowMs), max, windowMs);
  return until === undefined ? [] : [{ rule, until }];
}
