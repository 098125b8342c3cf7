import type { DisputeNetwork } from './dispute-network.ts';
import type { DisputeStage } from './dispute-state.ts';

/** Calendar days for an answer, of every network or by network, and who says so. */
export interface AnswerDays {
  readonly days: number | Readonly<Partial<Record<DisputeNetwork, number>>>;
  readonly source: string;
}

/** The only PSP that publishes days for every network; for want of others it stands for all. */
export const adyenInquiryDays: AnswerDays = {
  days: { amex: 14, discover: 18, diners: 18, jcb: 18, unionpay: 30 },
  source: 'Adyen, dispute timeframes: request for information',
};
export const adyenChargebackDays: AnswerDays = {
  days: { visa: 18, mastercard: 40, amex: 14, discover: 25, diners: 25, jcb: 40, unionpay: 30 },
  source: 'Adyen, dispute timeframes: chargeback',
};

/** Where neither the dispute nor its PSP says how long there is. */
export const commonAnswerDays: Readonly<Partial<Record<DisputeStage, readonly AnswerDays[]>>> = {
  inquiry: [adyenInquiryDays],
  chargeback: [
    adyenChargebackDays,
    {
      days: { visa: 30, mastercard: 45, amex: 20, discover: 30 },
      source: 'Chargeflow, defaults of the networks',
    },
  ],
  pre_arbitration: [
    { days: { visa: 10, mastercard: 45 }, source: 'Chargeflow: filing of arbitration' },
  ],
};
