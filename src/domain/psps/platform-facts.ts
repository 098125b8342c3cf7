import { networkElementSet } from '../disputes/ce3/psp-element-set.ts';
import { documentAlone } from './document-alone.ts';
import type { PspFacts } from './psp-facts.ts';

/** A subscription platform: it charges through a PSP of the merchant's, whose facts those charges have. */
export const platformFacts = {
  connects: 'never',
  wantedOfCharges: [],
  declines: undefined,
  invoices: { ids: undefined, nameOneDebt: true },
  disputes: undefined,
  deadlineField: undefined,
  answerDays: {},
  asksAgain: false,
  elements: networkElementSet,
  evidence: documentAlone,
} satisfies Omit<PspFacts, 'name'>;
