import { expect, it } from 'vitest';
import { readAdyenReport } from '../../../src/psp/adyen/report.ts';

const account = {
  apiKey: 'key',
  merchantAccount: 'AcmeDE',
  environment: 'live',
  hmacKeys: [],
} as const;

const head =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date,TimeZone,Main Currency,Main Amount,Record Type';

function row(
  change: Partial<Record<'account' | 'psp' | 'key' | 'at' | 'zone' | 'amount' | 'type', string>>,
) {
  const {
    account: merchant = 'AcmeDE',
    psp = 'P1',
    key = 'rcp_1',
    at = '2026-03-01 09:30:00',
  } = change;
  const { zone = 'CET', amount = '12.23', type = 'Authorised' } = change;
  return `Acme,${merchant},${psp},${key},visa,${at},${zone},EUR,${amount},${type}`;
}

it('has each payment once, with what became of it', () => {
  const text = [
    head,
    row({ type: 'Received' }),
    row({}),
    row({ type: 'SentForSettle', at: '2026-03-01 10:00:00' }),
    row({ type: 'Settled', at: '2026-03-02 02:00:00' }),
    row({ psp: 'P2', key: 'rcp_2', type: 'Refused', zone: 'UTC' }),
    row({ psp: 'P3', key: 'rcp_3' }),
    row({ psp: 'P3', key: 'rcp_3', type: 'SentForRefund', amount: '-2.23' }),
    row({ psp: 'P3', key: 'rcp_3', type: 'Refunded', amount: '-2.23' }),
    row({ psp: 'P4', account: 'AcmeFR' }),
    '',
  ].join('\r\n');
  const paid = { amountMinor: 1_223, currency: 'EUR', isLive: true } as const;
  expect(readAdyenReport(account, text)).toEqual({
    kind: 'read',
    from: new Date('2026-03-01T08:30:00Z'),
    to: new Date('2026-03-02T01:00:00Z'),
    charges: [
      {
        ...paid,
        pspTransactionId: 'P1',
        idempotencyKey: 'rcp_1',
        state: 'succeeded',
        createdAt: new Date('2026-03-02T01:00:00Z'),
      },
      {
        ...paid,
        pspTransactionId: 'P2',
        idempotencyKey: 'rcp_2',
        state: 'declined',
        createdAt: new Date('2026-03-01T09:30:00Z'),
      },
      {
        ...paid,
        pspTransactionId: 'P3',
        idempotencyKey: 'rcp_3',
        state: 'succeeded',
        createdAt: new Date('2026-03-01T08:30:00Z'),
        refundedMinor: 223,
      },
    ],
  });
});

it.each([
  ['no column of the amount', head.replace('Main Amount', 'Net'), 1],
  ['another amount', `${head}\n${row({})}\n${row({ amount: 'much' })}`, 3],
  ['a time without its zone', `${head}\n${row({ zone: 'XYZ' })}`, 2],
  ['no time in any row', `${head}\n${row({ zone: 'XYZ', type: 'Received' })}`, 2],
  ['no row of the merchant account', `${head}\n${row({ account: 'AcmeFR' })}`, 1],
  ['no row', head, 1],
])('says in which line it has %s', (_what, text, line) => {
  expect(readAdyenReport(account, text)).toMatchObject({ kind: 'malformed', line });
});

it('has a refused try of a reference that was paid at another try as one that says nothing', () => {
  const text = [
    head,
    row({ psp: 'P1', key: 'rcp_1', type: 'Refused' }),
    row({ psp: 'P2', key: 'rcp_1', type: 'Settled' }),
    row({ psp: 'P3', key: 'rcp_2', type: 'Refused' }),
  ].join('\n');
  expect(readAdyenReport(account, text)).toMatchObject({
    charges: [
      { pspTransactionId: 'P1', state: 'pending' },
      { pspTransactionId: 'P2', state: 'succeeded' },
      { pspTransactionId: 'P3', state: 'declined' },
    ],
  });
});

it('adds the refunds of a payment, each once as sent and as done, and passes over a row that is there twice', () => {
  const of = (type: string, at: string, amount: string) => row({ type, at, amount });
  const second = of('Refunded', '2026-03-04 09:30:00', '-8.23');
  const text = [
    head,
    row({ type: 'Settled' }),
    of('SentForRefund', '2026-03-03 09:30:00', '-4.00'),
    of('SentForRefund', '2026-03-04 08:30:00', '-8.23'),
    of('Refunded', '2026-03-03 10:30:00', '-4.00'),
    second,
    second,
  ].join('\n');
  expect(readAdyenReport(account, text)).toMatchObject({
    charges: [{ pspTransactionId: 'P1', amountMinor: 1_223, refundedMinor: 1_223 }],
  });
});

it.each([
  ['cancelled', ['Authorised', 'Cancelled'], { state: 'declined' }],
  [
    'cancelled in part, and captured',
    ['Authorised', 'Cancelled', 'Settled'],
    { state: 'succeeded' },
  ],
  ['cancelled, told alone', ['Cancelled'], { state: 'declined' }],
  ['never captured', ['Authorised', 'Expired'], { state: 'declined' }],
  [
    'of a capture that failed',
    ['Authorised', 'SentForSettle', 'CaptureFailed'],
    { state: 'declined' },
  ],
  ['captured again', ['SentForSettle', 'CaptureFailed', 'SentForSettle'], { state: 'succeeded' }],
])('tells what was %s', (_what, types, told) => {
  const rows = types.map((type, hour) => row({ type, at: `2026-03-01 1${hour}:00:00` }));
  const read = readAdyenReport(account, [head, ...rows].join('\n'));
  const [charge] = read.kind === 'read' ? read.charges : [];
  const { state, refundedMinor } = charge ?? {};
  expect({ state, refundedMinor }).toEqual({ refundedMinor: undefined, ...told });
});
