import { Type } from 'typebox';
import { declineCategories } from '../../domain/declines/decline.ts';
import { psps } from '../../domain/psps.ts';
import { incidentKinds } from '../../domain/states.ts';

/** What the webhook's bodies hold, as the engine freezes them (recovery/engine/announce.ts, recovery/incidents/incident-event.ts). */

const optional = (description: string) => Type.Optional(Type.String({ description }));
const timestamp = Type.String({
  format: 'date-time',
  description: 'When the event was written, in UTC; not when the charge was made.',
});
const custom = Type.Optional(
  Type.Unsafe<object>({ type: 'object', description: 'What you sent as custom, unchanged.' }),
);

const transaction = Type.Object({
  psp_transaction_id: optional('Its id at the PSP.'),
  network_transaction_id: optional("The network's id of it."),
  merchant_payment_method_id: Type.String({ description: 'The payment method that was charged.' }),
  success: Type.Boolean({ description: 'Whether this charge succeeded.' }),
});

/** `retry_result`: flat, one for each attempt that reached the PSP. */
export const retryResultBody = Type.Object({
  timestamp,
  service_id: Type.String({ description: "Recoup's id of the attempt." }),
  customer_id: Type.String(),
  subscription_id: optional('Your id of the subscription.'),
  invoice_id: Type.String(),
  transaction_id: Type.String({ description: 'Your id of the transaction that failed.' }),
  original_psp_transaction_id: Type.String({ description: "The PSP's id of it." }),
  psp_transactions: Type.Array(transaction, { description: 'The charges of this attempt.' }),
  original_amount: Type.Number({ description: 'What failed at first, in major units.' }),
  amount_collected: Type.Number({
    description: 'What was collected or, without success, tried; in major units.',
  }),
  currency: Type.String({ description: 'ISO 4217, in capitals.' }),
  success: Type.Boolean({ description: 'Whether the invoice is paid now.' }),
  custom,
});

/** `end_of_dunning`: for merchants that ask for it, once for each recovery. */
export const endOfDunningBody = Type.Object({
  timestamp,
  invoice_id: Type.String(),
  recovered: Type.Boolean({ description: 'Whether it was paid in the end.' }),
  custom,
});

const incidentSide = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        state: Type.String({ description: 'In the words of that side, such as succeeded.' }),
        psp_transaction_id: optional('Its id at the PSP.'),
        amount: Type.Optional(Type.Number({ description: 'In major units.' })),
        currency: optional('ISO 4217, in capitals.'),
        is_live: Type.Optional(Type.Boolean({ description: 'False: a test charge.' })),
        at: Type.Optional(
          Type.String({ format: 'date-time', description: 'When it was sent, made or reported.' }),
        ),
      },
      { description },
    ),
  );

/** `incident`: for merchants that ask for it, when a record contradicts another one's of a charge. */
export const incidentBody = Type.Object({
  timestamp,
  incident_id: Type.String({ description: "Recoup's id of the incident." }),
  kind: Type.Enum([...incidentKinds], {
    description: 'What does not fit, as docs/states.md has it.',
  }),
  invoice_id: Type.String(),
  psp: Type.Enum([...psps], { description: 'Whose charge it is.' }),
  charge: Type.String({ description: "Recoup's key of the charge, or its id at the PSP." }),
  detail: Type.String({ description: 'What is the matter, in a sentence.' }),
  ours: incidentSide("The charge as Recoup's record has it; absent where it has none."),
  theirs: incidentSide("The charge as the PSP's record has it; absent where it has none."),
  custom,
});

const ofWait = {
  timestamp,
  customer_id: Type.String(),
  subscription_id: optional('Your id of the subscription.'),
  invoice_id: optional('Absent of a card that is about to expire.'),
  payment_method_id: optional('Of a card that is about to expire: the payment method.'),
  card_expires: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}$',
      description: 'Of a card that is about to expire: its last month, such as 2027-03.',
    }),
  ),
};

/**
 * `customer_action_required`: for merchants that ask for it, when a payment begins to wait for its customer,
 * or a card is about to expire.
 */
export const customerActionRequiredBody = Type.Object({
  ...ofWait,
  reason: Type.Enum([...declineCategories, 'card_expiring'], {
    description:
      'The category of the last decline, as docs/declines.md has them; or card_expiring: the card of a subscription ends before its next renewal.',
  }),
  decline_code: optional("The PSP's code of that decline; absent of card_expiring."),
  what_helps: Type.Enum(['new_payment_method', 'authentication', 'contact_issuer'], {
    description: 'What the customer can do; a new or updated payment method always helps.',
  }),
  since: Type.String({
    format: 'date-time',
    description: 'When that decline came; of card_expiring: when this was told.',
  }),
  waits_until: Type.String({
    format: 'date-time',
    description:
      'When the recovery ends if nothing changes; of card_expiring: when the subscription renews.',
  }),
  amount: Type.Optional(
    Type.Number({ description: 'What is owed, in major units; absent of card_expiring.' }),
  ),
  currency: optional('ISO 4217, in capitals; absent of card_expiring.'),
  customer_page_url: optional(
    'For merchants with such a page: its address, with the signed link of this payment in it.',
  ),
  custom,
});

/** `customer_action_resolved`: for the same merchants, when that wait is over. */
export const customerActionResolvedBody = Type.Object({
  ...ofWait,
  reason: Type.Optional(
    Type.Enum(['card_expiring'], { description: 'Of a card that was about to expire, alone.' }),
  ),
  resolved_by: Type.Enum(['payment_method', 'recovered', 'stopped', 'window_ended'], {
    description:
      'A payment method that was added or updated (the payment is tried again), a success, a stop, or the end of the window. Of card_expiring: another card, a renewal that succeeded all the same, or one that failed or never came.',
  }),
  custom,
});

/** `test`: when an operator tests the address (recovery/admin/test-endpoint.ts). */
export const testBody = Type.Object({
  type: Type.Enum(['test']),
  timestamp: Type.String({ format: 'date-time', description: 'When it was sent, in UTC.' }),
  message: Type.String({ description: 'That it is a test, in a sentence.' }),
});

export const testExamples = {
  test: {
    type: 'test',
    timestamp: '2026-06-06T00:00:06.000Z',
    message: 'A test of this address by an operator. Nothing happened to any payment.',
  },
};

const paid = {
  timestamp: '2026-06-06T00:00:06.000Z',
  service_id: 'att_0g3tq2v5y8k1m4n7p9r2s5w8',
  customer_id: 'cus_1001',
  subscription_id: 'sub_1001',
  invoice_id: 'in_1001',
  transaction_id: 'txn_1001',
  original_psp_transaction_id: 'ch_1001',
  psp_transactions: [
    {
      psp_transaction_id: 'ch_1003',
      network_transaction_id: 'nt_1003',
      merchant_payment_method_id: 'pm_1001',
      success: true,
    },
  ],
  original_amount: 12.23,
  amount_collected: 12.23,
  currency: 'USD',
  success: true,
  custom: { plan: 'gold' },
};

const declined = {
  ...paid,
  timestamp: '2026-06-04T00:00:06.000Z',
  service_id: 'att_7h2k5m8p1q4s6t9v3w0x2y5z',
  psp_transactions: [
    { psp_transaction_id: 'ch_1002', merchant_payment_method_id: 'pm_1001', success: false },
  ],
  success: false,
};

export const retryResultExamples = { paid, declined };

export const endOfDunningExamples = {
  recovered: {
    timestamp: '2026-06-06T00:00:06.000Z',
    invoice_id: 'in_1001',
    recovered: true,
    custom: { plan: 'gold' },
  },
};

export const incidentExamples = {
  contradiction: {
    timestamp: '2026-06-04T00:07:31.000Z',
    incident_id: 'inc_8c1k2m3n4p5q6r7s8t9v0w1x',
    kind: 'contradiction',
    invoice_id: 'in_1001',
    psp: 'sandbox',
    charge: 'rcp_fdtnr2bz028bnry3937wcx1054kxd9',
    detail: 'the PSP says succeeded of a charge that is recorded as declined',
    ours: {
      state: 'declined',
      amount: 12.23,
      currency: 'USD',
      is_live: true,
      at: '2026-06-04T00:00:05.000Z',
    },
    theirs: {
      state: 'succeeded',
      psp_transaction_id: '8515131751004933',
      amount: 12.23,
      currency: 'USD',
      at: '2026-06-04T00:07:31.000Z',
    },
    custom: { plan: 'gold' },
  },
};

const waiting = {
  timestamp: '2026-06-04T00:00:06.000Z',
  customer_id: 'cus_1001',
  subscription_id: 'sub_1001',
  invoice_id: 'in_1001',
};

const expiring = {
  timestamp: '2026-06-01T00:00:00.000Z',
  customer_id: 'cus_1001',
  subscription_id: 'sub_1001',
  payment_method_id: 'pm_1001',
  card_expires: '2026-06',
  reason: 'card_expiring',
};

export const customerActionRequiredExamples = {
  expiring_card: {
    ...expiring,
    what_helps: 'new_payment_method',
    since: '2026-06-01T00:00:00.000Z',
    waits_until: '2026-07-01T08:00:00.000Z',
  },
  expired_card: {
    ...waiting,
    reason: 'fix_data',
    decline_code: 'expired_card',
    what_helps: 'new_payment_method',
    since: '2026-06-04T00:00:06.000Z',
    waits_until: '2026-07-01T00:00:00.000Z',
    amount: 12.23,
    currency: 'USD',
    custom: { plan: 'gold' },
  },
};

export const customerActionResolvedExamples = {
  expiring_card: {
    ...expiring,
    timestamp: '2026-06-12T16:05:00.000Z',
    resolved_by: 'payment_method',
  },
  new_card: {
    ...waiting,
    timestamp: '2026-06-05T09:30:00.000Z',
    resolved_by: 'payment_method',
    custom: { plan: 'gold' },
  },
};
