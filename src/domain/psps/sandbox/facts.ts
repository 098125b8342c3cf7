import { networkElementSet } from '../../disputes/ce3/psp-element-set.ts';
import { documentAlone } from '../document-alone.ts';
import type { PspFacts } from '../psp-facts.ts';

/** It speaks the networks' codes, and has no disputes. */
export const sandboxFacts = {
  name: 'the sandbox',
  connects: 'simulated',
  wantedOfCharges: [],
  declines: undefined,
  invoices: { ids: undefined, nameOneDebt: true },
  disputes: undefined,
  deadlineField: undefined,
  answerDays: {},
  asksAgain: false,
  elements: networkElementSet,
  evidence: documentAlone,
} satisfies PspFacts;
