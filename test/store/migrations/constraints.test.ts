import { describe, expect, it } from 'vitest';
import {
  attemptStates,
  deliveryStates,
  paymentStates,
  pspTransactionStates,
  requestStates,
  stopReasons,
} from '../../../src/domain/states.ts';
import { pspEventOutcomes } from '../../../src/recovery/psp-event-ports.ts';
import { pspEventKinds } from '../../../src/recovery/psp-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();
type Row = Readonly<Record<string, unknown>>;

/** Rows that the tables take; each test changes one thing. */
const good = {
  payments: {
    invoice_id: 'in_1',
    customer_id: 'cus_1',
    transaction_id: 'txn_1',
    original_psp_transaction_id: 'ch_1',
    psp: 'sandbox',
    amount_minor: 100,
    currency: 'USD',
    payment_method_ids: ['pm_1'],
    first_decline: {},
    failed_at: worldStart,
    window_ends_at: new Date(worldStart.getTime() + 1),
    max_attempts: 8,
    created_at: worldStart,
    updated_at: worldStart,
  },
  attempts: {
    attempt_id: 'att_1',
    invoice_id: 'in_1',
    number: 1,
    state: 'checking',
    started_at: worldStart,
  },
  psp_transactions: {
    attempt_id: 'att_1',
    ordinal: 1,
    invoice_id: 'in_1',
    psp: 'sandbox',
    state: 'sending',
    idempotency_key: 'key_1',
    payment_method_id: 'pm_1',
    amount_minor: 100,
    currency: 'USD',
    sent_at: worldStart,
  },
  events: {
    event_id: 'evt_1',
    sequence: 1,
    type: 'retry_result',
    invoice_id: 'in_1',
    attempt_id: 'att_1',
    body: '{}',
    created_at: worldStart,
  },
  deliveries: { event_id: 'evt_1', next_attempt_at: worldStart, created_at: worldStart },
  delivery_tries: { event_id: 'evt_1', number: 1, sent_at: worldStart, duration_ms: 1 },
  requests: {
    uuid: '6f1c2c1e-3b1d-4a53-9d0f-0d7b7f3f6a11',
    kind: 'payment',
    received_at: worldStart,
    next_attempt_at: worldStart,
  },
  payment_methods: {
    payment_method_id: 'pm_1',
    customer_id: 'cus_1',
    state: 'active',
    created_at: worldStart,
    updated_at: worldStart,
  },
  psp_events: {
    psp: 'stripe',
    event_id: 'evt_1',
    type: 'invoice.voided',
    kind: 'invoice_closed',
    outcome: 'recovery_stopped',
    occurred_at: worldStart,
    received_at: worldStart,
  },
  psp_event_notes: {
    psp: 'stripe',
    event_id: 'evt_1',
    month: '2026-01-01',
    type: 'invoice.voided',
    kind: 'invoice_closed',
    outcome: 'recovery_stopped',
    occurred_at: '2026-01-31T12:00:00Z',
    received_at: '2026-01-31T12:00:00Z',
  },
  disputes: {
    dispute_id: 'dis_1',
    psp: 'stripe',
    psp_dispute_id: 'dp_1',
    origin: 'psp',
    kind: 'dispute',
    stage: 'chargeback',
    status: 'needs_response',
    state_at: worldStart,
    stage_begun_at: worldStart,
    opened_at: worldStart,
    payment_ids: ['ch_1'],
    created_at: worldStart,
    updated_at: worldStart,
  },
  closed_invoices: { invoice_id: 'in_1', reason: 'voided', closed_at: worldStart },
} as const satisfies Readonly<Record<string, Row>>;
type Table = keyof typeof good;

async function insert(world: EngineWorld, table: Table, change: Row = {}): Promise<void> {
  const row: Row = { merchant_id: world.merchantId, ...good[table], ...change };
  const columns = Object.keys(row);
  await world.rows(
    `insert into ${table} (${columns.join(', ')})
     values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

/** A world that holds one row of each of these tables. */
async function holding(...tables: readonly Table[]): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const table of tables) await insert(world, table);
  return world;
}

const yes = { check_answer: { retry: true } };
const ended = { ended_at: worldStart };
const long = 'x'.repeat(256);

/** Each refused row: where it would go, what stands there already, what is wrong with it. */
const refused: readonly (readonly [what: string, table: Table, change: Row, rule: RegExp])[] = [
  ['of an unknown merchant', 'payments', { merchant_id: 'mer_none' }, /merchant_id_fkey/],
  ['without an amount', 'payments', { amount_minor: 0 }, /amount_minor_check/],
  ['of more than twelve digits', 'payments', { amount_minor: 1_000_000_000_000 }, /amount_minor/],
  ['in a currency of small letters', 'payments', { currency: 'usd' }, /currency_check/],
  ['without a method', 'payments', { payment_method_ids: [] }, /payment_method_ids_check/],
  ['of a too long invoice id', 'payments', { invoice_id: long }, /invoice_id_check/],
  ['with an empty customer id', 'payments', { customer_id: '' }, /customer_id_check/],
  ['in an unknown state', 'payments', { state: 'lost' }, /payments_state_check/],
  ['whose window is empty', 'payments', { window_ends_at: worldStart }, /payments_window/],
  ['with a budget of none', 'payments', { max_attempts: 0 }, /max_attempts_check/],
  ['with a budget over the most', 'payments', { max_attempts: 21 }, /max_attempts_check/],
  ['stopped without a reason', 'payments', { state: 'stopped' }, /stopped_says_why/],
  [
    'stopped for no known reason',
    'payments',
    { state: 'stopped', stop_reason: 'x' },
    /stop_reason/,
  ],
  [
    'ended, and due all the same',
    'payments',
    { state: 'recovered', due_action: 'plan', next_attempt_at: worldStart },
    /final_is_idle/,
  ],
  ['due for nothing', 'payments', { next_attempt_at: worldStart }, /due_has_action/],
  ['leased without being due', 'payments', { lease_until: worldStart }, /lease_only_when_due/],
  ['of a method of nobody', 'payment_methods', { customer_id: null }, /payment_methods_belong/],
  ['in an unknown state', 'payment_methods', { state: 'gone' }, /payment_methods_state_check/],
  ['accepted, and due never', 'requests', { next_attempt_at: null }, /due_while_accepted/],
  ['applied, and due all the same', 'requests', { state: 'applied' }, /due_while_accepted/],
  ['of an unknown kind', 'requests', { kind: 'refund' }, /kind_check/],
  ['of an empty invoice at the PSP', 'payments', { psp_invoice_id: '' }, /psp_invoice_id_check/],
  ['of an unknown meaning', 'psp_events', { kind: 'refund' }, /kind_check/],
  ['of an unknown outcome', 'psp_events', { outcome: 'lost' }, /outcome_check/],
  ['of a dispute without its body', 'psp_events', { kind: 'dispute' }, /body_of_a_dispute/],
  [
    'of no dispute, with a body',
    'psp_events',
    { sealed_body: Buffer.alloc(40), key_version: 1 },
    /body_of_a_dispute/,
  ],
  [
    'with a body that no key opens',
    'psp_events',
    { kind: 'dispute', sealed_body: Buffer.alloc(40) },
    /body_has_a_key/,
  ],
  [
    'with a body larger than is read',
    'psp_events',
    { kind: 'dispute', sealed_body: Buffer.alloc(1_114_113), key_version: 1 },
    /sealed_body_check/,
  ],
  ['of a dispute', 'psp_event_notes', { kind: 'dispute' }, /kind_check/],
  ['of a contradiction', 'psp_event_notes', { outcome: 'contradiction' }, /outcome_check/],
  ['of no month', 'psp_event_notes', { month: '2026-01-02' }, /month_check/],
  [
    'too late for its month',
    'psp_event_notes',
    { received_at: '2026-02-08T00:00:00Z' },
    /come_in_time/,
  ],
  ['of a dispute without a stage', 'disputes', { stage: null }, /state_of_its_kind/],
  ['of a warning with a stage', 'disputes', { kind: 'fraud_warning' }, /state_of_its_kind/],
  ['of an amount of no currency', 'disputes', { amount_minor: 1 }, /money_is_whole/],
  ['due by nobody’s word', 'disputes', { respond_by: worldStart }, /deadline_has_a_source/],
  ['matched at no time', 'disputes', { match_state: 'none', matched_at: null }, /matched_when/],
  ['matched by nobody', 'disputes', { match_state: 'matched' }, /match_has_a_score/],
  ['closed for too many words', 'closed_invoices', { reason: 'x'.repeat(501) }, /reason_check/],
];

const refusedBesideAPayment: typeof refused = [
  ['of no payment', 'attempts', { invoice_id: 'in_none' }, /attempts_merchant_id_invoice_id_fkey/],
  ['charging after a no', 'attempts', { state: 'charging', check_answer: { retry: false } }, /yes/],
  [
    'succeeded after a no',
    'attempts',
    { state: 'succeeded', check_answer: { retry: false }, ...ended },
    /charge_needs_a_yes/,
  ],
  ['open, and ended', 'attempts', { ...ended }, /attempts_ended/],
  ['ended at no time', 'attempts', { state: 'declined', ...yes }, /attempts_ended/],
];

const refusedBesideAnAttempt: typeof refused = [
  ['beside an open one', 'attempts', { attempt_id: 'att_2', number: 2 }, /attempts_one_open/],
  [
    'of the same number',
    'attempts',
    { attempt_id: 'att_2', state: 'not_attempted', ...ended },
    /attempts_number/,
  ],
  ['of no attempt', 'psp_transactions', { attempt_id: 'att_none' }, /has no attempt/],
  ['beyond the tenth', 'psp_transactions', { ordinal: 11 }, /ordinal_check/],
  [
    'succeeded without an id',
    'psp_transactions',
    { state: 'succeeded', settled_at: worldStart },
    /success_has_id/,
  ],
  ['declined at no time', 'psp_transactions', { state: 'declined' }, /psp_transactions_settled/],
  ['on its way, and settled', 'psp_transactions', { settled_at: worldStart }, /settled/],
  [
    'on its way, and to be looked up',
    'psp_transactions',
    { next_attempt_at: worldStart },
    /due_only_unknown/,
  ],
  ['of nothing', 'psp_transactions', { amount_minor: 0 }, /amount_minor_check/],
  [
    'that stands for its attempt without a yes',
    'psp_transactions',
    { attempt_started_at: worldStart, check_answer: { retry: false } },
    /charge_needs_a_yes/,
  ],
  [
    'that stands for its attempt, and has ended',
    'psp_transactions',
    { attempt_started_at: worldStart, check_answer: { retry: true }, state: 'unknown' },
    /carries_its_attempt/,
  ],
  [
    'of a card, without its turn: as the release before begins it',
    'psp_transactions',
    { card_key: 'sandbox:pm_1', network: 'visa', credential: 'pan' },
    /has_its_turn/,
  ],
  ['a result of no attempt', 'events', { attempt_id: null }, /result_of_an_attempt/],
  ['an end that names an attempt', 'events', { type: 'end_of_dunning' }, /result_of_an_attempt/],
  ['of an unknown type', 'events', { type: 'news', attempt_id: null }, /events_type_check/],
];

const refusedBesideAnEvent: typeof refused = [
  [
    'a second result of one attempt',
    'events',
    { event_id: 'evt_2', sequence: 2 },
    /one_per_attempt/,
  ],
  ['of the same number', 'events', { event_id: 'evt_2', attempt_id: 'att_2' }, /events_sequence/],
  ['of no event', 'deliveries', { event_id: 'evt_none' }, /event_id_fkey/],
  [
    'delivered, and due',
    'deliveries',
    { state: 'delivered', delivered_at: worldStart },
    /due_while_pending/,
  ],
  ['pending, and due never', 'deliveries', { next_attempt_at: null }, /due_while_pending/],
  [
    'delivered at no time',
    'deliveries',
    { state: 'delivered', next_attempt_at: null },
    /delivered_when/,
  ],
];

const beside: readonly (readonly [readonly Table[], typeof refused])[] = [
  [[], refused],
  [['payments'], refusedBesideAPayment],
  [['payments', 'attempts'], refusedBesideAnAttempt],
  [['payments', 'attempts', 'events'], refusedBesideAnEvent],
];

describe.each(beside)('beside a row of %j, the tables refuse', (tables, cases) => {
  it.each(cases.map((item) => [item[1], item[0], item] as const))(
    '%s: one %s',
    async (_, __, item) => {
      const world = await holding(...tables);
      const [, table, change, rule] = item;
      await expect(insert(world, table, change)).rejects.toThrow(rule);
    },
  );
});

describe('the promises that matter most', () => {
  const success = { state: 'succeeded', settled_at: worldStart, psp_transaction_id: 'ch_1' };
  const second = { attempt_id: 'att_2', number: 2, ...yes };

  it('an invoice has one attempt that succeeded', async () => {
    const world = await holding('payments');
    await insert(world, 'attempts', { state: 'succeeded', ...yes, ...ended });
    const twice = insert(world, 'attempts', { ...second, state: 'succeeded', ...ended });
    await expect(twice).rejects.toThrow(/attempts_one_success/);
  });

  it('an invoice has one charge that succeeded', async () => {
    const world = await holding('payments', 'attempts');
    await insert(world, 'psp_transactions', success);
    const twice = { ...success, ordinal: 2, idempotency_key: 'key_2' };
    await expect(insert(world, 'psp_transactions', twice)).rejects.toThrow(/one_success/);
  });

  it.each(['sending', 'unknown'])(
    'an invoice has one charge on its way, beside one %s',
    async (state) => {
      const world = await holding('payments', 'attempts');
      await insert(world, 'psp_transactions', { state });
      const beside = { ordinal: 2, idempotency_key: 'key_2' };
      await expect(insert(world, 'psp_transactions', beside)).rejects.toThrow(/one_in_flight/);
    },
  );

  it('a card has one charge of each turn', async () => {
    const world = await holding('payments', 'attempts');
    const ofCard = { card_key: 'sandbox:pm_1', card_turn: 1, network: 'visa', credential: 'pan' };
    await insert(world, 'psp_transactions', {
      ...ofCard,
      state: 'declined',
      settled_at: worldStart,
    });
    const next = { ordinal: 2, idempotency_key: 'key_2' };
    const twice = insert(world, 'psp_transactions', { ...ofCard, ...next });
    await expect(twice).rejects.toThrow(/psp_transactions_card_turn/);
    await insert(world, 'psp_transactions', { ...ofCard, ...next, card_turn: 2 });
  });

  it('a charge that stands for its attempt ends with the attempt’s row', async () => {
    const world = await holding('payments');
    const begun = { attempt_started_at: worldStart, check_answer: { retry: true } };
    await insert(world, 'psp_transactions', begun);
    const ending = `update psp_transactions
      set state = 'unknown', attempt_started_at = null, check_answer = null`;
    await expect(world.rows(ending)).rejects.toThrow(/has no attempt/);
    await insert(world, 'attempts', { state: 'unknown', ...yes });
    await world.rows(ending);
    expect(await world.rows('select state from all_attempts')).toEqual([{ state: 'unknown' }]);
  });

  it('a charge that carries its attempt goes on doing so, or leaves its row behind', async () => {
    const world = await holding('payments');
    const carrying = {
      state: 'declined',
      settled_at: worldStart,
      attempt_started_at: worldStart,
      check_answer: { retry: true },
      attempt_number: 1,
    };
    await insert(world, 'psp_transactions', carrying);
    const left = `update psp_transactions set attempt_started_at = null, check_answer = null, attempt_number = null`;
    await expect(world.rows(left)).rejects.toThrow(/has no attempt/);
    await insert(world, 'attempts', { state: 'declined', ended_at: worldStart, ...yes });
    await world.rows(left);
    expect(await world.rows('select state from recorded_attempts')).toEqual([
      { state: 'declined' },
    ]);
  });

  const begun = { attempt_started_at: worldStart, check_answer: { retry: true } };
  const over = { ...begun, state: 'declined', settled_at: worldStart, attempt_number: 1 };
  it.each([
    ['on its way with a number', { ...begun, attempt_number: 1 }],
    ['on its way with a decision', { ...begun, attempt_decision: {} }],
    ['over without a number', { ...over, attempt_number: null }],
    ['numbered below one', { ...over, attempt_number: 0 }],
    ['of an unknown charge', { ...over, state: 'unknown', settled_at: null }],
    ['that was never made', { ...over, state: 'not_made' }],
    ['that contradicts', { ...over, contradicts: true }],
  ])('no charge carries an attempt %s', async (_, row) => {
    const world = await holding('payments', 'attempts');
    const inserted = insert(world, 'psp_transactions', row);
    await expect(inserted).rejects.toThrow(/carries_its_attempt/);
  });

  it('two charges of an invoice carry attempts of two numbers', async () => {
    const world = await holding('payments');
    await insert(world, 'psp_transactions', over);
    const second = { ...over, attempt_id: 'att_2', idempotency_key: 'key_2' };
    await expect(insert(world, 'psp_transactions', second)).rejects.toThrow(/attempt_number/);
    await insert(world, 'psp_transactions', { ...second, attempt_number: 2 });
  });

  it('a charge has a payment', async () => {
    const world = await holding();
    await expect(insert(world, 'psp_transactions', over)).rejects.toThrow(/invoice_id_fkey/);
  });

  it('a key is used once', async () => {
    const world = await holding('payments', 'attempts');
    const declined = { state: 'declined', settled_at: worldStart };
    await insert(world, 'psp_transactions', declined);
    const again = insert(world, 'psp_transactions', { ...declined, ordinal: 2 });
    await expect(again).rejects.toThrow(/psp_transactions_key/);
  });

  it('a key that was found never made may be sent again', async () => {
    const world = await holding('payments', 'attempts');
    await insert(world, 'psp_transactions', { state: 'not_made', settled_at: worldStart });
    await insert(world, 'psp_transactions', { ordinal: 2 });
    const declined = { state: 'declined', settled_at: worldStart };
    const again = insert(world, 'psp_transactions', { ...declined, ordinal: 3 });
    await expect(again).rejects.toThrow(/psp_transactions_key/);
  });

  it('an invoice is told its end once', async () => {
    const world = await holding('payments');
    const end = { type: 'end_of_dunning', attempt_id: null };
    await insert(world, 'events', end);
    const again = insert(world, 'events', { ...end, event_id: 'evt_2', sequence: 2 });
    await expect(again).rejects.toThrow(/events_one_end/);
  });

  it('the same ids of two merchants are two things', async () => {
    const world = await holding('payments', 'attempts', 'psp_transactions', 'events');
    const { merchantId: merchant_id } = await world.addMerchant();
    for (const table of ['payments', 'attempts', 'psp_transactions', 'events'] as const) {
      await insert(world, table, { merchant_id });
    }
    expect(await world.rows('select 1 from psp_transactions')).toHaveLength(2);
  });

  it('a receipt’s UUID is one request', async () => {
    const world = await holding('requests');
    await expect(insert(world, 'requests')).rejects.toThrow(/requests_uuid/);
  });

  // A missing answer must not make the rule `null`: a check takes that for a pass.
  it.each([{}, { check_answer: {} }, { check_answer: { retry: null } }])(
    'no charge is begun without an answer: %j',
    async (answer) => {
      const world = await holding('payments');
      const silent = insert(world, 'attempts', { state: 'charging', ...answer });
      await expect(silent).rejects.toThrow(/charge_needs_a_yes/);
    },
  );
});

describe('the words of the columns are those of the code', () => {
  it.each([
    ['payments', 'state', paymentStates],
    ['payments', 'stop_reason', stopReasons],
    ['attempts', 'state', attemptStates],
    ['psp_transactions', 'state', pspTransactionStates],
    ['deliveries', 'state', deliveryStates],
    ['requests', 'state', requestStates],
    ['psp_events', 'kind', pspEventKinds],
    ['psp_events', 'outcome', pspEventOutcomes],
    // Disputes and contradictions are kept for good, in psp_events.
    ['psp_event_notes', 'kind', pspEventKinds.filter((kind) => kind !== 'dispute')],
    [
      'psp_event_notes',
      'outcome',
      pspEventOutcomes.filter((word) => word !== 'contradiction' && word !== 'dispute_kept'),
    ],
  ] as const)('%s.%s', async (table, column, words) => {
    const world = await engineWorld();
    const rows = await world.rows<{ rule: string }>(
      `select pg_get_constraintdef(oid) as rule from pg_constraint
       where conrelid = $1::regclass and conname = $2`,
      [table, `${table}_${column}_check`],
    );
    const found = rows[0]?.rule.matchAll(/'([a-z_]+)'/g) ?? [];
    expect([...found].map((match) => match[1]).toSorted()).toEqual(words.toSorted());
  });
});
