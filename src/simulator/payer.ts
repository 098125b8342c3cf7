import type { CardFunding } from '../policy/learned/retry-facts.ts';
import { type Draws, drawsOf, purposes } from './draws.ts';
import { type FundedHours, freedLimit, type PaidAccount, paidAccount } from './funds.ts';
import type { Parameters } from './parameters.ts';
import type { World } from './world.ts';

/** Why the first charge failed. A policy never sees it. */
export type Cause =
  /** `account`: what the payer lived by until then; absent of a credit card's limit. */
  | {
      readonly kind: 'funds';
      readonly funded: FundedHours;
      readonly account?: PaidAccount;
      readonly isHidden: boolean;
    }
  | { readonly kind: 'block'; readonly endHour: number; readonly code: string }
  | { readonly kind: 'false_decline' }
  /** `curedHour`: when the account updater replaces the card; infinite where it does not. */
  | { readonly kind: 'lifecycle'; readonly curedHour: number; readonly code: string }
  | { readonly kind: 'technical'; readonly endHour: number }
  | { readonly kind: 'terminal'; readonly code: string };

/** A payer whose first charge failed, with all that is settled before any policy acts. */
export interface Payer {
  readonly index: number;
  readonly failedHour: number;
  readonly issuer: number;
  readonly network: 'visa' | 'mastercard';
  readonly cardFunding: CardFunding;
  readonly amountMinor: number;
  readonly cause: Cause;
}

/** The payer of an index: the same one in every run of the seed. */
export function drawPayer(world: World, index: number): Payer {
  const { parameters, seed } = world;
  const draws = drawsOf(seed, index, purposes.latent);
  const failedHour = Math.floor(draws.unit() * parameters.drift.spreadDays * 24);
  const issuer = Math.floor(draws.unit() * parameters.falseDecline.issuers);
  const isVisa = draws.unit() * limitsSum(parameters) < parameters.limits.visaShare;
  const kind = drawCauseKind(parameters, draws);
  const cardFunding = drawFunding(parameters, draws, kind);
  const amountMinor = drawAmount(parameters, draws);
  return {
    index,
    failedHour,
    issuer,
    network: isVisa ? 'visa' : 'mastercard',
    cardFunding,
    amountMinor,
    cause: drawCause(world, draws, { index, kind, failedHour, cardFunding, amountMinor }),
  };
}

function limitsSum({ limits }: Parameters): number {
  return limits.visaShare + limits.mastercardShare;
}

function drawCauseKind({ cause }: Parameters, draws: Draws): Cause['kind'] {
  return draws.pick<Cause['kind']>({
    funds: cause.fundsShare,
    block: cause.blockShare,
    false_decline: cause.falseDeclineShare,
    lifecycle: cause.lifecycleShare,
    technical: cause.technicalShare,
    terminal: cause.terminalShare,
  });
}

function drawFunding(parameters: Parameters, draws: Draws, kind: Cause['kind']): CardFunding {
  const { debitShare, creditShare, prepaidShare } =
    kind === 'funds' ? parameters.fundingOfFunds : parameters.funding;
  return draws.pick({ debit: debitShare, credit: creditShare, prepaid: prepaidShare });
}

function drawAmount({ amount }: Parameters, draws: Draws): number {
  const monthly = amount.medianMinor * Math.exp(amount.logSd * draws.normal());
  const isAnnual = draws.unit() < amount.annualShare;
  return Math.max(1, Math.round(monthly * (isAnnual ? amount.annualFactor : 1)));
}

interface CauseInput {
  readonly index: number;
  readonly kind: Cause['kind'];
  readonly failedHour: number;
  readonly cardFunding: CardFunding;
  readonly amountMinor: number;
}

function drawCause(world: World, draws: Draws, input: CauseInput): Cause {
  const { kind, failedHour } = input;
  const { codes, riskBlock, technical } = world.parameters;
  switch (kind) {
    case 'funds': {
      const isHidden = draws.unit() < codes.fundsAs05Share;
      return { kind, isHidden, ...drawFunds(world, draws, input) };
    }
    case 'block': {
      const isPermanent = draws.unit() < riskBlock.permanentShare;
      const hours = draws.exponential(riskBlock.meanDays * 24);
      const endHour = isPermanent ? Number.POSITIVE_INFINITY : failedHour + Math.ceil(hours);
      return { kind, endHour, code: hiddenOr(draws, codes.blockAs05Share, blockCodes) };
    }
    case 'lifecycle':
      return { kind, ...drawLifecycle(world.parameters, draws, failedHour) };
    case 'technical': {
      const hours = draws.exponential(technical.meanHours);
      return { kind, endHour: failedHour + Math.ceil(hours) };
    }
    case 'terminal':
      return { kind, code: hiddenOr(draws, codes.terminalAs05Share, terminalCodes) };
    case 'false_decline':
      return { kind };
  }
}

const blockCodes = ['59', '61', '65'] as const;
const terminalCodes = ['R0', 'R1', '57'] as const;

function hiddenOr(draws: Draws, hiddenShare: number, codes: readonly string[]): string {
  const isHidden = draws.unit() < hiddenShare;
  const code = codes[Math.floor(draws.unit() * codes.length)] ?? '05';
  return isHidden ? '05' : code;
}

function drawFunds(
  world: World,
  draws: Draws,
  { index, failedHour, amountMinor, cardFunding }: CauseInput,
): { readonly funded: FundedHours; readonly account?: PaidAccount } {
  const { parameters, calendar, issuers, seed, days } = world;
  const isDead = draws.unit() < parameters.deadAccounts.deadShare;
  const input = {
    parameters,
    calendar,
    regimeHour: issuers.regimeHour,
    draws: drawsOf(seed, index, purposes.funds),
    irregular: drawsOf(seed, index, purposes.irregularPay),
    amountMinor,
    failedHour,
    endHour: failedHour + days * 24,
  };
  if (cardFunding === 'credit') return { funded: isDead ? [] : freedLimit(input) };
  const { account, funded } = paidAccount(input);
  return { account, funded: isDead ? [] : funded };
}

function drawLifecycle(
  { lifecycle, updater }: Parameters,
  draws: Draws,
  failedHour: number,
): { readonly curedHour: number; readonly code: string } {
  const { expiredShare, closedShare, lostShare } = lifecycle;
  const code = draws.pick({ x54: expiredShare, x14: closedShare, x41: lostShare }).slice(1);
  const isCured = draws.unit() < updater.curedShare;
  const hours = draws.exponential(updater.meanDays * 24);
  const curedHour = isCured ? failedHour + Math.ceil(hours) : Number.POSITIVE_INFINITY;
  return { code, curedHour };
}
