import type { RuleId } from './rules.ts';

/** Micros of a currency's major unit: 1 USD is 1,000,000. Some fees are tenths of a cent. */
export const microsPerMajor = 1_000_000;

/**
 * A fee of a network. Its amount is in whole micros of the major unit, since networks charge 0.005
 * and less for an attempt, which no minor unit can hold.
 */
export interface FeeAmount {
  readonly amountMicros: number;
  readonly currency: string;
}

/** The fee of one attempt, and the rule that it is charged under. */
export interface NetworkFee extends FeeAmount {
  readonly rule: RuleId;
}

/** The exact decimal of a fee, such as `0.004 EUR`; two decimals at least. */
export function feeText(fee: FeeAmount): string {
  const whole = Math.trunc(fee.amountMicros / microsPerMajor);
  const digits = (fee.amountMicros % microsPerMajor).toString().padStart(6, '0');
  return `${whole}.${digits.replace(/0{1,4}$/, '')} ${fee.currency}`;
}
