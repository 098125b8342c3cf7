import { networkElementSet, visaElements } from '../../disputes/ce3/psp-element-set.ts';
import type { AnswerDays } from '../../disputes/normalise/answer-days.ts';
import type { PspFacts } from '../psp-facts.ts';
import { stripeDeclines } from './declines.ts';
import { stripeDisputes } from './disputes.ts';

const answerDays: readonly AnswerDays[] = [{ days: 7, source: 'Stripe: 7 to 21 days, the least' }];

export const stripeFacts = {
  name: 'Stripe',
  connects: 'charges',
  wantedOfCharges: [],
  declines: stripeDeclines,
  // An id begins with what it is of: docs.stripe.com/api/invoices/object.
  invoices: { ids: /^in_[0-9A-Za-z]+$/, nameOneDebt: true },
  disputes: stripeDisputes,
  deadlineField: 'evidence_details.due_by',
  answerDays: { inquiry: answerDays, chargeback: answerDays },
  asksAgain: false,
  // It alone takes an e-mail that is not the login. Source: Stripe, disputes/api/visa-ce3.
  elements: {
    ...networkElementSet,
    elements: [...visaElements, 'email'],
    wantsState: true,
    wantsReferences: false,
    ownPriorsOnly: true,
    wantsKindOfGoods: true,
  },
  evidence: { form: 'fields' },
} satisfies PspFacts;
