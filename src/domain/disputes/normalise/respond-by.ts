import { addMs, dayMs } from '../../clock.ts';
import type { Psp } from '../../psps.ts';
import type { DisputeNetwork } from './dispute-network.ts';
import type { DisputeState } from './dispute-state.ts';
import { utcDaysBetween } from './utc-days.ts';

/** Where each PSP names the deadline of an answer itself; Worldpay Access names none. */
const pspDeadlineFields: Readonly<Partial<Record<Psp, string>>> = {
  stripe: 'evidence_details.due_by',
  adyen: 'additionalData.defensePeriodEndsAt',
  braintree: 'replyByDate',
  paypal: 'seller_response_due_date',
  checkout: 'evidence_required_by',
};

interface Days {
  readonly days: number;
  readonly source: string;
}
type ByNetwork = Readonly<Partial<Record<DisputeNetwork, number>>>;

// Calendar days, where the PSP says nothing.
const adyenChargeback: ByNetwork = {
  ...{ visa: 18, mastercard: 40, amex: 14, discover: 25, diners: 25, jcb: 40, unionpay: 30 },
};
const adyenInquiry: ByNetwork = { amex: 14, discover: 18, diners: 18, jcb: 18, unionpay: 30 };
const chargeflowDefault: ByNetwork = { visa: 30, mastercard: 45, amex: 20, discover: 30 };
const arbitration: ByNetwork = { visa: 10, mastercard: 45 };
const minStripeDays = 7;
const paypalInquiryDays = 20;

/** When an answer is due, and who says so. */
export interface RespondBy {
  readonly at: Date;
  readonly source: string;
  /** False where it is reckoned from a table: the PSP's own date may be another one. */
  readonly isPspsOwn: boolean;
}

/**
 * The PSP's own field where it has one, else the least of the days that sources name for the PSP, the
 * network and the stage, from the start of the stage. Undefined where no answer is awaited, or no
 * source has a figure.
 */
export function respondBy(input: {
  psp: Psp;
  state: DisputeState;
  network?: DisputeNetwork;
  stageBegunAt: Date;
  pspDeadline?: Date;
}): RespondBy | undefined {
  const { psp, state, network, stageBegunAt, pspDeadline } = input;
  if (state.kind === 'fraud_warning' || state.status !== 'needs_response') return undefined;
  if (pspDeadline !== undefined) {
    const source = `${psp}: ${pspDeadlineFields[psp] ?? 'its own date'}`;
    return { at: pspDeadline, source, isPspsOwn: true };
  }
  const known = daysFor(psp, state.stage, network).sort((a, b) => a.days - b.days)[0];
  if (known === undefined) return undefined;
  const at = addMs(stageBegunAt, known.days * dayMs);
  return { at, source: known.source, isPspsOwn: false };
}

/** Whole UTC days until the deadline; 0 on its day, negative when it is past. */
export function daysLeft(deadline: Date, now: Date): number {
  return utcDaysBetween(now, deadline);
}

function daysFor(psp: Psp, stage: string, network: DisputeNetwork | undefined): Days[] {
  const from = (table: ByNetwork, source: string): Days[] => {
    const days = network && table[network];
    return days === undefined ? [] : [{ days, source }];
  };
  if (psp === 'stripe' && (stage === 'chargeback' || stage === 'inquiry')) {
    return [{ days: minStripeDays, source: 'Stripe: 7 to 21 days, the least' }];
  }
  switch (stage) {
    case 'inquiry':
      if (psp === 'paypal') {
        return [{ days: paypalInquiryDays, source: 'PayPal: an inquiry lasts 20 days' }];
      }
      return from(adyenInquiry, 'Adyen, dispute timeframes: request for information');
    case 'chargeback':
      return [
        ...from(adyenChargeback, 'Adyen, dispute timeframes: chargeback'),
        ...(psp === 'adyen' ? [] : from(chargeflowDefault, 'Chargeflow, defaults of the networks')),
      ];
    case 'pre_arbitration':
      return from(arbitration, 'Chargeflow: filing of arbitration');
    default:
      return [];
  }
}
