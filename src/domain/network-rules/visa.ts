import { dayMs } from '../clock.ts';
import type { CardAttempt, ProposedCharge } from './card-attempt.ts';
import { type Figure, inForce } from './dated.ts';
import { neverAgainAdvice } from './mastercard-advice.ts';
import type { FeeAmount, NetworkFee } from './network-fee.ts';
import { visaRegionOf } from './regions.ts';
import { visaCategory } from './visa-categories.ts';
import { type Block, byTime, failed, freeAt, standingDeclines, within } from './windows.ts';

/** Reattempts of a card in 30 days. */
export const maxVisaReattempts: readonly Figure<number>[] = [
  { value: 15, from: '2021-04-17', until: '2025-05-19', source: 'visaBulletin' },
  { value: 20, from: '2025-05-19', source: 'checkoutLimit' },
];

/** Which tries are counted apart from each other. */
export const visaCounters: readonly Figure<'by_credential' | 'by_credential_and_initiator'>[] = [
  { value: 'by_credential', until: '2025-05-19', source: 'paypalCounters' },
  { value: 'by_credential_and_initiator', from: '2025-05-19', source: 'checkoutLimit' },
];

const visaWindowMs = 30 * dayMs;

/** For each attempt after category 1, or beyond the limit. */
export const visaDomesticFee: readonly Figure<FeeAmount>[] = [
  { value: { amountMicros: 100_000, currency: 'USD' }, source: 'checkoutFees' },
];
export const visaInterregionalFee: readonly Figure<FeeAmount>[] = [
  {
    value: { amountMicros: 150_000, currency: 'USD' },
    until: '2026-04-25',
    source: 'checkoutFees',
  },
  {
    value: { amountMicros: 250_000, currency: 'USD' },
    from: '2026-04-25',
    source: 'checkoutFees',
  },
];

/** Declines of cards not present in 30 days at an acceptor, beyond which category 3 costs a fee. */
export const visaDataQualityThreshold: readonly Figure<number>[] = [
  { value: 10_000, until: '2023-04-01', source: 'cieloVisa' },
  { value: 25_000, from: '2023-04-01', source: 'cieloVisa' },
];

/** For each recurring attempt after a stop instruction, from the fourth on. */
export const visaStopFee: readonly Figure<FeeAmount>[] = [
  {
    value: { amountMicros: 1_000_000, currency: 'USD' },
    source: 'checkoutStop',
    why: '1 EUR or 1 USD by the region; the dollar is taken.',
  },
];
const visaStopFreeAttempts = 3;
const stopCodes = ['R0', 'R1', 'R3'];

/** What Visa's rules have against a charge. */
export function visaBlocks(
  attempts: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly Block[] {
  const standing = standingDeclines(attempts, proposed.renewedAt);
  const region =
    proposed.acquirerCountry === undefined ? undefined : visaRegionOf(proposed.acquirerCountry);
  const blocks: Block[] = [];
  const closed = standing.find(
    ({ networkCode, at }) =>
      networkCode !== undefined && visaCategory(networkCode, region, at) === 1,
  );
  if (closed !== undefined) {
    const fees = [
      ...reattemptFee('visa.category_1', proposed),
      ...stopFee(attempts, standing, proposed),
    ];
    blocks.push({ rule: 'visa.category_1', fees });
  }
  if (standing.some(neverAgainAdvice)) {
    blocks.push({ rule: 'visa.advice_never', fees: reattemptFee('visa.advice_never', proposed) });
  }
  const until = visaFreeAt(attempts, proposed);
  if (until !== undefined) {
    const fees = reattemptFee('visa.reattempts_30d', proposed);
    blocks.push({ rule: 'visa.reattempts_30d', until, fees });
  }
  return blocks;
}

/** When the counter allows one more; undefined where it does now. */
function visaFreeAt(attempts: readonly CardAttempt[], proposed: ProposedCharge): Date | undefined {
  const max = inForce(maxVisaReattempts, proposed.at)?.value;
  if (max === undefined) return undefined;
  const own = attempts.filter((attempt) => isSameCounter(attempt, proposed)).toSorted(byTime);
  const latest = own.at(-1);
  const isReattempt =
    latest !== undefined &&
    failed(latest) &&
    within([latest], proposed.at, visaWindowMs).length > 0;
  if (!isReattempt) return undefined;
  return freeAt(within(reattempts(own), proposed.at, visaWindowMs), max, visaWindowMs);
}

/**
 * Those that followed a refused one within the window, whatever became of them. The first try after
 * an approval is a new transaction and no reattempt.
 */
function reattempts(own: readonly CardAttempt[]): readonly CardAttempt[] {
  return own.filter((attempt, index) => {
    const before = own[index - 1];
    return (
      before !== undefined &&
      failed(before) &&
      attempt.at.getTime() - before.at.getTime() < visaWindowMs
    );
  });
}

function isSameCounter(attempt: CardAttempt, proposed: ProposedCharge): boolean {
  if (attempt.credential !== proposed.credential) return false;
  const counters = inForce(visaCounters, proposed.at)?.value;
  return counters === 'by_credential' || attempt.initiator === proposed.initiator;
}

function reattemptFee(rule: NetworkFee['rule'], proposed: ProposedCharge): readonly NetworkFee[] {
  const fee = inForce(
    isInterregional(proposed) ? visaInterregionalFee : visaDomesticFee,
    proposed.at,
  );
  return fee === undefined ? [] : [{ ...fee.value, rule }];
}

/** Where one of the countries is not known, the lower fee is estimated. */
function isInterregional({ issuerCountry, acquirerCountry }: ProposedCharge): boolean {
  if (issuerCountry === undefined || acquirerCountry === undefined) return false;
  return visaRegionOf(issuerCountry) !== visaRegionOf(acquirerCountry);
}

function stopFee(
  attempts: readonly CardAttempt[],
  standing: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly NetworkFee[] {
  const stop = standing.find(({ networkCode }) => stopCodes.includes(networkCode ?? ''));
  if (stop === undefined || proposed.initiator !== 'mit') return [];
  const after = attempts.filter(
    ({ at, initiator }) => initiator === 'mit' && at.getTime() > stop.at.getTime(),
  );
  const fee = inForce(visaStopFee, proposed.at);
  if (fee === undefined || after.length < visaStopFreeAttempts) return [];
  return [{ ...fee.value, rule: 'visa.stop_payment' }];
}

/** What an allowed charge costs all the same: a late retry of the invoice, in Brazil. */
export function visaExpectedFees(
  attempts: readonly CardAttempt[],
  proposed: ProposedCharge,
): readonly NetworkFee[] {
  if (proposed.acquirerCountry !== 'BR') return [];
  const ofInvoice = attempts.filter(({ invoiceId }) => invoiceId === proposed.invoiceId);
  const [first] = ofInvoice.toSorted(byTime);
  const isLate = first !== undefined && within([first], proposed.at, visaWindowMs).length === 0;
  return isLate ? reattemptFee('visa.late_retry', proposed) : [];
}
