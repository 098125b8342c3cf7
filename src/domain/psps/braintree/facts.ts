import { networkElementSet } from '../../disputes/ce3/psp-element-set.ts';
import type { PspFacts } from '../psp-facts.ts';
import { braintreeDeclines } from './declines.ts';
import { braintreeDisputes } from './disputes.ts';

export const braintreeFacts = {
  name: 'Braintree',
  connects: 'charges',
  wantedOfCharges: [],
  declines: braintreeDeclines,
  // Charges are paid into a subscription, which every period shares.
  invoices: { ids: undefined, nameOneDebt: false },
  disputes: braintreeDisputes,
  deadlineField: 'replyByDate',
  answerDays: {},
  asksAgain: false,
  elements: networkElementSet,
  evidence: { form: 'fields' },
} satisfies PspFacts;
