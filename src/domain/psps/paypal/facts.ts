import { networkElementSet } from '../../disputes/ce3/psp-element-set.ts';
import type { PspFacts } from '../psp-facts.ts';
import { paypalDisputes } from './disputes.ts';

export const paypalFacts = {
  name: 'PayPal',
  connects: 'disputes',
  wantedOfCharges: [],
  declines: undefined,
  invoices: { ids: undefined, nameOneDebt: true },
  disputes: paypalDisputes,
  deadlineField: 'seller_response_due_date',
  answerDays: { inquiry: [{ days: 20, source: 'PayPal: an inquiry lasts 20 days' }] },
  // From UNDER_REVIEW it waits for the seller once more: customer_disputes_v1.json, require-evidence.
  asksAgain: true,
  elements: networkElementSet,
  evidence: { form: 'fields' },
} satisfies PspFacts;
