import { describe, expect, it } from 'vitest';
import { rulePackVersion } from '../../../src/domain/network-rules/rule-pack.ts';
import type { DecisionRecord } from '../../../src/policy/plan.ts';
import type { CardRow } from '../../../src/store/cards/card-history.ts';
import {
  type ContextRow,
  type OpenAttemptRow,
  toContext,
  toOpenAttempt,
} from '../../../src/store/engine/payment-context.ts';

const at = (hour: number): Date => new Date(Date.UTC(2026, 2, 1, hour));
const decline = { category: 'later', code: '51' } as const;
const decision: DecisionRecord = {
  kind: 'attempt',
  because: 'the schedule',
  policy: 'fixed',
  policy_version: '1',
  rule_pack_version: rulePackVersion,
  decided_at: at(1).toISOString(),
  bounded_by: [],
  propensity: 1,
};

const bareCard: CardRow = {
  key: 'sandbox:pm_1',
  version: null,
  turn: null,
  scheme: null,
  fingerprint: null,
  credential_form: null,
  issuer_country: null,
  acquirer_country: null,
  renewed_at: null,
  attempts: null,
};
const wholeCard: CardRow = {
  key: 'fingerprint:sandbox:fp_1',
  version: 3,
  turn: 2,
  scheme: 'mastercard',
  fingerprint: 'fp_1',
  credential_form: 'token',
  issuer_country: 'us',
  acquirer_country: 'de',
  renewed_at: at(2).toISOString(),
  attempts: [
    {
      id: 'c_1',
      invoice_id: 'in_1',
      at: at(3).toISOString(),
      initiator: 'mit',
      credential: 'token',
      outcome: 'declined',
      network_code: '05',
      advice_code: '02',
    },
    {
      id: 'c_2',
      invoice_id: 'in_2',
      at: at(4).toISOString(),
      initiator: 'cit',
      credential: 'pan',
      outcome: 'approved',
      network_code: null,
      advice_code: null,
    },
  ],
};

const bare: ContextRow = {
  merchant_id: 'mer_1',
  invoice_id: 'in_1',
  customer_id: 'cus_1',
  psp_customer_id: null,
  psp_invoice_id: null,
  psp_invoice_state: 'unasked',
  merchant_invoice_id: null,
  subscription_id: null,
  transaction_id: 'txn_1',
  original_psp_transaction_id: 'ch_1',
  psp: 'sandbox',
  amount_minor: 1223,
  currency: 'USD',
  custom: null,
  first_decline: decline,
  state: 'scheduled',
  stop_reason: null,
  stop_detail: null,
  failed_at: at(0),
  window_ends_at: at(20),
  max_attempts: 8,
  postponements: 2,
  decision: null,
  fence: 5,
  revision: 6,
  attempt_count: 0,
  frozen_at: null,
  tries: null,
  methods: null,
};

const plain = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  customerId: 'cus_1',
  transactionId: 'txn_1',
  originalPspTransactionId: 'ch_1',
  psp: 'sandbox',
  amountMinor: 1223,
  currency: 'USD',
  firstDecline: decline,
  state: 'scheduled',
  failedAt: at(0),
  windowEndsAt: at(20),
  maxAttempts: 8,
  postponements: 2,
  fence: 5,
  revision: 6,
  pspInvoiceState: 'unasked',
  methods: [],
  removedMethodIds: [],
  tries: [],
};

describe('a payment as the engine reads it', () => {
  it('has nothing of what its row leaves open', () => {
    expect(toContext(bare)).toStrictEqual(plain);
  });

  it('has all that its row has', () => {
    const row: ContextRow = {
      ...bare,
      psp_customer_id: 'psp_cus',
      psp_invoice_id: 'psp_in',
      psp_invoice_state: 'known',
      merchant_invoice_id: 'm_in',
      subscription_id: 'sub_1',
      custom: { plan: 'gold' },
      stop_reason: 'merchant_stop',
      stop_detail: 'by phone',
      decision,
      frozen_at: at(9),
    };
    expect(toContext(row)).toStrictEqual({
      ...plain,
      pspCustomerId: 'psp_cus',
      pspInvoiceId: 'psp_in',
      pspInvoiceState: 'known',
      merchantInvoiceId: 'm_in',
      subscriptionId: 'sub_1',
      custom: { plan: 'gold' },
      stopReason: 'merchant_stop',
      stopDetail: 'by phone',
      decision,
      frozenAt: at(9),
    });
  });

  it('has its methods with their cards, the removed ones apart', () => {
    const method = { failed_first: false, removed: false, renewed_at: null, card: bareCard };
    const renewed = { ...method, failed_first: true, renewed_at: at(5).toISOString() };
    const { methods, removedMethodIds } = toContext({
      ...bare,
      methods: [
        { ...renewed, payment_method_id: 'pm_1', card: wholeCard },
        { ...method, payment_method_id: 'pm_2', removed: true },
        { ...method, payment_method_id: 'pm_3' },
      ],
    });
    expect(removedMethodIds).toEqual(['pm_2']);
    expect(methods).toStrictEqual([
      {
        paymentMethodId: 'pm_1',
        failedFirst: true,
        renewedAt: at(5),
        card: {
          cardKey: 'fingerprint:sandbox:fp_1',
          fingerprint: 'fp_1',
          credentialForm: 'token',
          facts: {
            network: 'mastercard',
            credential: 'token',
            issuerCountry: 'US',
            acquirerCountry: 'DE',
            renewedAt: at(2),
          },
          attempts: [
            {
              id: 'c_1',
              invoiceId: 'in_1',
              at: at(3),
              initiator: 'mit',
              credential: 'token',
              outcome: 'declined',
              networkCode: '05',
              adviceCode: '02',
            },
            {
              id: 'c_2',
              invoiceId: 'in_2',
              at: at(4),
              initiator: 'cit',
              credential: 'pan',
              outcome: 'approved',
            },
          ],
          version: 3,
          turn: 2,
        },
      },
      {
        paymentMethodId: 'pm_3',
        failedFirst: false,
        card: {
          cardKey: 'sandbox:pm_1',
          facts: { network: 'unknown', credential: 'pan' },
          attempts: [],
          version: 0,
          turn: 0,
        },
      },
    ]);
  });

  it('has its tries with their declines, and is paid where one of them succeeded', () => {
    const tried = { started_at: at(6).toISOString(), ended_at: at(7).toISOString() };
    const declined = {
      ...tried,
      succeeded: false,
      declines: [{ payment_method_id: 'pm_1', decline }],
    };
    const times = { startedAt: at(6), endedAt: at(7) };
    const tries = [{ ...times, declines: [{ paymentMethodId: 'pm_1', decline }] }];
    expect(toContext({ ...bare, tries: [declined] })).toStrictEqual({ ...plain, tries });
    const succeeded = { ...tried, succeeded: true, declines: null };
    expect(toContext({ ...bare, tries: [declined, succeeded] })).toStrictEqual({
      ...plain,
      isPaid: true,
      tries: [...tries, { ...times, declines: [] }],
    });
  });
});

describe('an open attempt as the engine reads it', () => {
  const row: OpenAttemptRow = {
    attempt_id: 'att_1',
    state: 'checking',
    started_at: at(1).toISOString(),
    decision: null,
    check_answer: null,
    transactions: null,
  };
  const attempt = {
    attemptId: 'att_1',
    state: 'checking',
    startedAt: at(1),
    transactions: [],
  };

  it('has nothing of what its row leaves open', () => {
    expect(toOpenAttempt(row)).toStrictEqual(attempt);
  });

  it('has its decision, the merchant’s answer and its charges', () => {
    const charge = {
      ordinal: 1,
      state: 'sending',
      idempotency_key: 'key_1',
      payment_method_id: 'pm_1',
      amount_minor: 1223,
      currency: 'USD',
      psp_transaction_id: null,
      network_transaction_id: null,
      decline: null,
      sent_at: at(2).toISOString(),
      connection_version: 3,
    } as const;
    const answered = {
      ...charge,
      ordinal: 2,
      state: 'declined',
      psp_transaction_id: 'ch_1',
      network_transaction_id: 'ntx_1',
      decline,
    } as const;
    const common = {
      idempotencyKey: 'key_1',
      paymentMethodId: 'pm_1',
      amountMinor: 1223,
      currency: 'USD',
      sentAt: at(2),
      connectionVersion: 3,
    };
    const whole = { ...row, decision, check_answer: { retry: true } };
    expect(toOpenAttempt({ ...whole, transactions: [charge, answered] })).toStrictEqual({
      ...attempt,
      decision,
      check: { retry: true },
      transactions: [
        { ordinal: 1, state: 'sending', ...common },
        {
          ordinal: 2,
          state: 'declined',
          ...common,
          pspTransactionId: 'ch_1',
          networkTransactionId: 'ntx_1',
          decline,
        },
      ],
    });
  });
});
