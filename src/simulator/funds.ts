import type { Calendar } from './calendar.ts';
import type { Draws } from './draws.ts';
import type { Parameters } from './parameters.ts';
import { drawRhythm, type IsPayday } from './pay-rhythm.ts';

/** Stretches of hours in which an account can pay, by their start, `endHour` not included. */
export type FundedHours = readonly { readonly startHour: number; readonly endHour: number }[];

export function isFunded(funded: FundedHours, hour: number): boolean {
  return funded.some(({ startHour, endHour }) => hour >= startHour && hour < endHour);
}

/** Hours until the account can pay: 0 where it can now, undefined where it never will. */
export function hoursToFunds(funded: FundedHours, hour: number): number | undefined {
  const next = funded.find(({ endHour }) => endHour > hour);
  return next === undefined ? undefined : Math.max(0, next.startHour - hour);
}

/** What pays come into an account, and what a charge of the payer's amount asks of it. */
export interface PaidAccount {
  readonly isPayday: IsPayday;
  /** Of a pay period: how long a whole pay lasts. */
  readonly lastingShare: number;
  /** The charge as a share of a whole pay; 0 where amounts do not matter. */
  readonly chargeShare: number;
}

/** What moves paydays, and how regular pays are. */
export interface PayWorld {
  readonly parameters: Parameters;
  readonly calendar: Calendar;
  /** From which hour on paydays are shifted. */
  readonly regimeHour: number;
}

export interface FundsInput extends PayWorld {
  readonly draws: Draws;
  /** What is irregular about the pays, and the size of the charge. */
  readonly irregular: Draws;
  readonly amountMinor: number;
  readonly failedHour: number;
  /** Until when the account is asked. */
  readonly endHour: number;
}

/** Tries to draw an account that is dry at the failure before one is made dry. */
const maxDraws = 64;
/** The longest pay period, a month, with room for holidays. */
const lookBackDays = 40;
/** Nobody subscribes to what a whole pay hardly covers. */
const maxChargeShare = 0.9;

/** An account with pays that is dry at the first failure, and when it is not. */
export function paidAccount(input: FundsInput): {
  readonly account: PaidAccount;
  readonly funded: FundedHours;
} {
  const chargeShare = drawChargeShare(input);
  const { fundedBetaA, fundedBetaB } = input.parameters.funds;
  const hours = { fromHour: input.failedHour, toHour: input.endHour };
  for (let count = 0; count < maxDraws; count += 1) {
    const lastingShare = input.draws.beta(fundedBetaA, fundedBetaB);
    const account = { isPayday: drawRhythm(input), lastingShare, chargeShare };
    const funded = fundedHours(input, account, hours);
    if (!isFunded(funded, input.failedHour)) return { account, funded };
  }
  const account = { isPayday: drawRhythm(input), lastingShare: 0, chargeShare };
  return { account, funded: fundedHours(input, account, hours) };
}

function drawChargeShare({ parameters, irregular, amountMinor }: FundsInput): number {
  const { chargeShareOfPay, logSd } = parameters.balance;
  if (chargeShareOfPay === 0) return 0;
  const share = chargeShareOfPay * Math.exp(logSd * irregular.normal());
  return Math.min(maxChargeShare, (share * amountMinor) / parameters.amount.medianMinor);
}

/** A credit card whose limit is freed on the day its statement is paid. */
export function freedLimit({ parameters, draws, failedHour }: FundsInput): FundedHours {
  const { freedAfterDaysLow, freedAfterDaysHigh } = parameters.creditLimit;
  const days = freedAfterDaysLow + draws.unit() * (freedAfterDaysHigh - freedAfterDaysLow);
  const startHour = failedHour + Math.ceil(days * 24);
  return [{ startHour, endHour: Number.POSITIVE_INFINITY }];
}

/** When an account can pay, around the hours that are asked for. */
export function fundedHours(
  world: PayWorld & Pick<FundsInput, 'draws' | 'irregular'>,
  account: PaidAccount,
  hours: { readonly fromHour: number; readonly toHour: number },
): FundedHours {
  const { parameters, draws, irregular } = world;
  const paydays = paydaysAround(world, account.isPayday, hours);
  const periods = paydays.slice(0, -1).flatMap((day, index) => {
    const period = ((paydays[index + 1] ?? day) - day) * 24;
    const noise = parameters.funds.periodNoiseSd * draws.normal();
    const { lastingShare, chargeShare } = account;
    const lasting = lastingShare === 0 ? 0 : Math.min(1, Math.max(0, lastingShare + noise));
    return payParts(parameters, irregular).map(({ delayDays, factor }) => {
      const startHour = (day + delayDays) * 24;
      // The balance sinks evenly to nothing: below the charge it is before it is gone.
      const share = lasting * Math.max(0, factor - chargeShare);
      return { startHour, endHour: startHour + Math.round(period * share) };
    });
  });
  return periods
    .filter(({ startHour, endHour }) => endHour > startHour)
    .sort((a, b) => a.startHour - b.startHour);
}

/** A part of a pay: how late it comes, and its share of a whole one. */
interface PayPart {
  readonly delayDays: number;
  readonly factor: number;
}

const wholePay: readonly PayPart[] = [{ delayDays: 0, factor: 1 }];

function payParts({ irregularPay }: Parameters, draws: Draws): readonly PayPart[] {
  const { lateShare, missedShare, splitShare, smallShare } = irregularPay;
  const wholeShare = 1 - lateShare - missedShare - splitShare - smallShare;
  if (wholeShare === 1) return wholePay;
  const kind = draws.pick({
    whole: wholeShare,
    late: lateShare,
    missed: missedShare,
    split: splitShare,
    small: smallShare,
  });
  const daysUpTo = (most: number) => 1 + Math.floor(draws.unit() * most);
  switch (kind) {
    case 'whole':
      return wholePay;
    case 'late':
      return [{ delayDays: daysUpTo(irregularPay.lateDaysHigh), factor: 1 }];
    case 'missed':
      return [];
    case 'split':
      return [
        { delayDays: 0, factor: 0.5 },
        { delayDays: daysUpTo(irregularPay.splitDaysHigh), factor: 0.5 },
      ];
    case 'small': {
      const { smallFactorLow, smallFactorHigh } = irregularPay;
      const factor = smallFactorLow + draws.unit() * (smallFactorHigh - smallFactorLow);
      return [{ delayDays: 0, factor }];
    }
  }
}

/** Paydays around the hours, in order, moved before weekends and holidays. */
function paydaysAround(
  { calendar, regimeHour, parameters }: PayWorld,
  isPayday: IsPayday,
  { fromHour, toHour }: { readonly fromHour: number; readonly toHour: number },
): readonly number[] {
  const firstDay = Math.floor(fromHour / 24) - lookBackDays;
  const lastDay = Math.ceil(toHour / 24) + lookBackDays;
  const paydays: number[] = [];
  for (let day = firstDay; day <= lastDay; day += 1) {
    if (!isPayday(day)) continue;
    const shift = day * 24 >= regimeHour ? parameters.drift.paydayShiftDays : 0;
    const paid = calendar.businessDayBefore(day + shift);
    if (paid > (paydays.at(-1) ?? Number.NEGATIVE_INFINITY)) paydays.push(paid);
  }
  return paydays;
}
