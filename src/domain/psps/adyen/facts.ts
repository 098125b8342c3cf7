import { networkElementSet } from '../../disputes/ce3/psp-element-set.ts';
import { adyenChargebackDays } from '../../disputes/normalise/answer-days.ts';
import type { PspFacts } from '../psp-facts.ts';
import { adyenDeclines } from './declines.ts';
import { adyenDisputes } from './disputes.ts';

export const adyenFacts = {
  name: 'Adyen',
  connects: 'charges',
  wantedOfCharges: [],
  declines: adyenDeclines,
  invoices: { ids: undefined, nameOneDebt: true },
  disputes: adyenDisputes,
  deadlineField: 'additionalData.defensePeriodEndsAt',
  // Of a network that it does not list nothing is known there.
  answerDays: { chargeback: [adyenChargebackDays] },
  asksAgain: false,
  elements: networkElementSet,
  evidence: {
    form: 'document',
    why: 'Adyen names the defence reasons when it is asked; it gets the PDF and the files with one.',
  },
} satisfies PspFacts;
