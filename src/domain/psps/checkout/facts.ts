import { networkElementSet } from '../../disputes/ce3/psp-element-set.ts';
import type { PspFacts } from '../psp-facts.ts';
import { checkoutDeclines } from './declines.ts';
import { checkoutDisputes } from './disputes.ts';

export const checkoutFacts = {
  name: 'Checkout.com',
  connects: 'charges',
  wantedOfCharges: [],
  declines: checkoutDeclines,
  invoices: { ids: undefined, nameOneDebt: true },
  disputes: checkoutDisputes,
  deadlineField: 'evidence_required_by',
  answerDays: {},
  asksAgain: false,
  // Source: Checkout.com, compelling_evidence.
  elements: {
    ...networkElementSet,
    notTaken: ['device_fingerprint'],
    maxLength: { deviceId: 64, login: 50 },
    wantsKindOfGoods: true,
    wantsDescriptor: true,
  },
  evidence: { form: 'fields' },
} satisfies PspFacts;
