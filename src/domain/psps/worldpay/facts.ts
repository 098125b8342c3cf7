import { networkElementSet } from '../../disputes/ce3/psp-element-set.ts';
import { documentAlone } from '../document-alone.ts';
import type { PspFacts } from '../psp-facts.ts';
import { worldpayDeclines } from './declines.ts';
import { worldpayDisputes } from './disputes.ts';

export const worldpayFacts = {
  name: 'Worldpay',
  connects: 'charges',
  wantedOfCharges: ['network_transaction_id', 'mid'],
  declines: worldpayDeclines,
  invoices: { ids: undefined, nameOneDebt: true },
  disputes: worldpayDisputes,
  // Access names no deadline.
  deadlineField: undefined,
  answerDays: {},
  asksAgain: false,
  elements: networkElementSet,
  evidence: documentAlone,
} satisfies PspFacts;
