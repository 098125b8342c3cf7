import { describe, expect, test } from 'vitest';
import { check } from '../../src/faults/checker/check.ts';
import type { Dump } from '../../src/faults/checker/dump.ts';
import {
  type AskedAgain,
  emptyRecord,
  type LedgerCharge,
  type WorldRecord,
} from '../../src/faults/record.ts';

const minute = 60_000;

const charge: LedgerCharge = {
  psp: 'sandbox',
  account: 'sandbox',
  chargeId: 'ch_1',
  debtId: 'd1',
  origin: 'ours',
  key: 'k1',
  methodId: 'pm_1',
  amountMinor: 500,
  currency: 'USD',
  state: 'succeeded',
  atMs: 100 * minute,
  sentMs: 100 * minute,
};

const answer = {
  psp: 'sandbox',
  key: 'k1',
  atMs: 100 * minute,
  recorded: ['not_made', 'succeeded'],
};

function eventOf(chargeId: string, success: boolean): string {
  const psp_transactions = [{ psp_transaction_id: chargeId, success }];
  return JSON.stringify({ invoice_id: 'inv_1', success, psp_transactions });
}

/** One debt that was charged once under a yes, recovered, and told of. */
function soundRecord(): WorldRecord {
  const record = emptyRecord();
  record.debts.push({
    debtId: 'd1',
    merchantId: 'm1',
    psp: 'sandbox',
    invoiceIds: ['inv_1'],
    livesAtPsp: false,
    owedMinor: 500,
    currency: 'USD',
    methodIds: ['pm_1'],
  });
  record.charges.push(charge);
  record.sends.push({ psp: 'sandbox', account: 'sandbox', key: 'k1', atMs: 100 * minute });
  record.answers.push(answer);
  record.yeses.push({
    merchantId: 'm1',
    invoiceId: 'inv_1',
    amountMinor: 500,
    methodIds: [],
    atMs: 99 * minute,
  });
  record.requests.push({ merchantId: 'm1', uuid: 'u1', debtId: 'd1', atMs: minute });
  record.inbox.push({
    merchantId: 'm1',
    dedupId: 'e1',
    type: 'retry_result',
    body: eventOf('ch_1', true),
    atMs: 101 * minute,
    isSigned: true,
  });
  return record;
}

function soundDump(): { -readonly [Table in keyof Dump]: Dump[Table] } {
  const own = { merchant_id: 'm1', invoice_id: 'inv_1', attempt_id: 'a1' };
  const idle = { next_attempt_at: null };
  return {
    payments: [{ ...own, ...idle, state: 'recovered', stop_reason: null }],
    attempts: [{ ...own, state: 'succeeded' }],
    charges: [
      {
        ...own,
        ...idle,
        state: 'succeeded',
        idempotency_key: 'k1',
        psp_transaction_id: 'ch_1',
        decline: null,
      },
    ],
    events: [{ ...own, event_id: 'evt_1', type: 'retry_result', is_late: false }],
    deliveries: [{ ...own, event_id: 'evt_1', state: 'delivered' }],
    requests: [{ ...own, uuid: 'u1', state: 'applied', outcome: {} }],
    incidents: [],
  };
}

test('a sound record breaks no promise', () => {
  expect(check(soundRecord(), soundDump())).toEqual([]);
});

test('what came since a backup may be told again, and is not counted twice', () => {
  const [record, dump] = [soundRecord(), soundDump()];
  const last = record.inbox.at(-1);
  if (last === undefined) throw new Error('there is none');
  const { atMs } = last;
  record.restores.push({ backupMs: atMs - 1, atMs: atMs + 1 });
  record.inbox.push({ ...last, dedupId: 'e_again', atMs: atMs + 2 });
  expect(check(record, dump)).toEqual([]);
  record.inbox.pop();
  expect(check(record, dump).map(({ rule }) => rule)).toContain('no success is lost');
});

test('an answer from before its charge, or of a debt with an incident, says nothing', () => {
  const [record, dump] = [soundRecord(), soundDump()];
  record.answers.splice(0, 1, { ...answer, recorded: [], atMs: charge.atMs - 1 });
  expect(check(record, dump)).toEqual([]);
  record.answers.splice(0, 1, { ...answer, recorded: ['declined'] });
  expect(check(record, dump).map(({ rule }) => rule)).toEqual(['no answer is thrown away']);
  dump.incidents = [
    { merchant_id: 'm1', invoice_id: 'inv_1', charge: null, kind: 'contradiction' },
  ];
  expect(check(record, dump)).toEqual([]);
});

test('a success that a person sees, or that its merchant knows of, is not lost', () => {
  const [record, dump] = [soundRecord(), soundDump()];
  const payment = { ...first(dump.payments), state: 'scheduled', set_aside_at: new Date(0) };
  Object.assign(dump, { payments: [payment], events: [], attempts: [], charges: [] });
  const told = record.inbox.splice(0);
  record.restores.push({ backupMs: minute, atMs: 200 * minute });
  expect(check(record, dump)).toEqual([]);
  const stopped = { state: 'stopped', stop_reason: 'merchant_declined_retry', set_aside_at: null };
  dump.payments = [{ ...payment, ...stopped }];
  expect(check(record, dump).map(({ rule }) => rule)).toContain('no success is lost');
  record.inbox.push(...told);
  expect(check(record, dump)).toEqual([]);
});

test('what is on record was told, also where the record of telling it is lost', () => {
  const [record, dump] = [soundRecord(), soundDump()];
  record.restores.push({ backupMs: charge.atMs, atMs: charge.atMs + 8 * 24 * 60 * minute });
  expect(check(record, dump)).toEqual([]);
  record.inbox.splice(0);
  const rules = check(record, dump).map(({ rule }) => rule);
  expect(rules).toEqual(['no success is lost', 'each charge is told once']);
});

test('what came to light of an attempt later is told with all of its charges', () => {
  const [record, dump] = [soundRecord(), soundDump()];
  record.charges.unshift({ ...charge, chargeId: 'ch_0', key: 'k0', state: 'declined' });
  const before = { ...first(record.inbox), dedupId: 'e0', body: eventOf('ch_0', false) };
  const psp_transactions = [
    { psp_transaction_id: 'ch_0', success: false },
    { psp_transaction_id: 'ch_1', success: true },
  ];
  const body = JSON.stringify({ invoice_id: 'inv_1', success: true, psp_transactions });
  record.inbox.splice(0, 1, before, { ...first(record.inbox), body });
  dump.events = [first(dump.events), { ...first(dump.events), event_id: 'evt_2', is_late: true }];
  expect(check(record, dump)).toEqual([]);
  record.inbox.push({ ...before, dedupId: 'e_twice' });
  expect(check(record, dump).map(({ rule }) => rule)).toEqual(['each charge is told once']);
});

test('an event that came again, and a contradiction that a person sees, break no promise', () => {
  const [record, dump] = [soundRecord(), soundDump()];
  record.askedAgain.push(asked, { ...asked, eventId: 'evt_of_a_lost_time', isFound: false });
  record.contradictions.push({ merchantId: 'm1', key: 'k1', atMs: 200 * minute });
  dump.incidents = [
    { merchant_id: 'm1', invoice_id: 'inv_1', charge: 'k1', kind: 'contradiction' },
  ];
  expect(check(record, dump)).toEqual([]);
});

const asked: AskedAgain = {
  merchantId: 'm1',
  eventId: 'evt_1',
  dedupId: 'e1',
  isFound: true,
  sinceMs: 100 * minute,
  atMs: 100 * minute,
};

type Break = (record: WorldRecord, dump: ReturnType<typeof soundDump>) => void;

const breaks: readonly (readonly [rule: string, how: string, broken: Break])[] = [
  ['never twice', 'a second success', (r) => r.charges.push({ ...charge, chargeId: 'ch_2' })],
  [
    'never after it was paid elsewhere',
    'a charge long after the report',
    (r) => {
      r.charges.unshift({ ...charge, origin: 'foreign', atMs: minute, chargeId: 'ch_f' });
      r.requests.push({ merchantId: 'm1', uuid: 'u2', debtId: 'd1', atMs: 2 * minute });
    },
  ],
  [
    'no answer is thrown away',
    'an answer that was not recorded',
    (r) => r.answers.push({ ...answer, recorded: ['unknown'] }),
  ],
  ['never without a fresh yes', 'no yes at all', (r) => r.yeses.splice(0)],
  [
    'never without a fresh yes',
    'a yes of an hour ago',
    (r) => r.yeses.splice(0, 1, { ...first(r.yeses), atMs: 40 * minute }),
  ],
  [
    'never without a fresh yes',
    'a yes to another method',
    (r) => r.yeses.splice(0, 1, { ...first(r.yeses), methodIds: ['pm_2'] }),
  ],
  [
    'never without a fresh yes',
    'a yes to less',
    (r) => r.yeses.splice(0, 1, { ...first(r.yeses), amountMinor: 499 }),
  ],
  [
    'never more than owed',
    'a charge above it',
    (r) => r.charges.splice(0, 1, { ...charge, amountMinor: 501 }),
  ],
  [
    'a stop is a stop',
    'a charge after it',
    (r) => r.stops.push({ merchantId: 'm1', invoiceId: 'inv_1', atMs: 50 * minute }),
  ],
  ['no success is lost', 'no event', (r) => r.inbox.splice(0)],
  [
    'no success is lost',
    'a payment that goes on',
    (_, d) => {
      d.payments = d.payments.map((row) => ({ ...row, state: 'exhausted' }));
    },
  ],
  [
    'no success is invented',
    'an event of a charge that no PSP has',
    (r) => r.charges.splice(0, 1, { ...charge, state: 'declined' }),
  ],
  [
    'each charge is told once',
    'two events of one charge',
    (r) => r.inbox.push({ ...first(r.inbox), dedupId: 'e2' }),
  ],
  ['one event for each attempt', 'no event', (_, d) => Object.assign(d, { events: [] })],
  [
    'events are sound',
    'another body for the same event',
    (r) => r.inbox.push({ ...first(r.inbox), body: eventOf('ch_9', false) }),
  ],
  [
    'events are sound',
    'no signature',
    (r) => r.inbox.splice(0, 1, { ...first(r.inbox), isSigned: false }),
  ],
  [
    'every request is applied',
    'a request that is gone',
    (_, d) => Object.assign(d, { requests: [] }),
  ],
  [
    'nothing is forgotten',
    'an open payment without work',
    (_, d) =>
      Object.assign(d, { payments: d.payments.map((row) => ({ ...row, state: 'scheduled' })) }),
  ],
  [
    'everything settles',
    'a delivery on its way',
    (_, d) =>
      Object.assign(d, { deliveries: d.deliveries.map((row) => ({ ...row, state: 'pending' })) }),
  ],
  [
    "networks' limits hold",
    'a charge of a stolen card',
    (r) => r.charges.unshift({ ...charge, atMs: minute, declineCode: 'stolen' }),
  ],
  [
    "networks' limits hold",
    'a seventeenth try within a month',
    (r) => {
      for (let index = 0; index < 16; index += 1) {
        r.charges.unshift({ ...charge, atMs: index * minute, state: 'declined' });
      }
    },
  ],
  [
    'asked for again, it comes again',
    'an event that did not come',
    (r) => r.askedAgain.push({ ...asked, sinceMs: 102 * minute }),
  ],
  [
    'asked for again, it comes again',
    'an event that was said not to be there',
    (r) => r.askedAgain.push({ ...asked, isFound: false }),
  ],
  [
    'a contradiction is seen',
    'a contradiction without an incident',
    (r) => r.contradictions.push({ merchantId: 'm1', key: 'k1', atMs: 200 * minute }),
  ],
  [
    'asked at its account',
    'a look-up at another one',
    (r) => r.lookUps.push({ psp: 'sandbox', account: 'other', key: 'k1', atMs: 101 * minute }),
  ],
];

describe('the checker sees', () => {
  test.each(breaks)('%s: %s', (rule, _how, broken) => {
    const [record, dump] = [soundRecord(), soundDump()];
    broken(record, dump);
    expect(check(record, dump).map((violation) => violation.rule)).toContain(rule);
  });
});

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('there is none');
  return item;
}
