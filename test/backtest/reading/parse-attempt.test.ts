import { describe, expect, it } from 'vitest';
import {
  type ColumnName,
  columnNames,
  detectShape,
  missingColumns,
  type ShapeName,
} from '../../../src/backtest/reading/columns.ts';
import { parseAttempt, parseTime } from '../../../src/backtest/reading/parse-attempt.ts';

const row: Partial<Record<ColumnName, string>> = {
  attempt_id: 'ch_1',
  invoice_id: 'in_1',
  customer_id: 'cus_1',
  occurred_at: '2026-03-01T10:00:00Z',
  amount: '1,234.50',
  currency: 'usd',
  outcome: 'Failed',
};

function parsed(change: Partial<Record<ColumnName, string>>, shape: ShapeName = 'generic') {
  const values = { ...row, ...change };
  return parseAttempt(
    columnNames.map((name) => values[name]),
    shape,
  );
}

describe('a row of a history', () => {
  it('is an attempt', () => {
    const change = { brand: 'Visa', funding: 'Debit', network_code: '51', propensity: '0.25' };
    expect(parsed(change)).toEqual({
      kind: 'attempt',
      attempt: {
        attemptId: 'ch_1',
        invoiceId: 'in_1',
        customerId: 'cus_1',
        atMs: Date.UTC(2026, 2, 1, 10),
        amountMinor: 123_450,
        currency: 'USD',
        succeeded: false,
        said: { psp: 'stripe', network: 'visa', networkCode: '51' },
        brand: 'visa',
        funding: 'debit',
        propensity: 0.25,
      },
    });
  });

  it.each([
    [{ attempt_id: '' }, 'no attempt id'],
    [{ invoice_id: '' }, 'no invoice id'],
    [{ customer_id: '' }, 'no customer id'],
    [{ occurred_at: 'yesterday' }, 'the time is not ISO 8601 or Unix time from 2000 to 2100'],
    [{ currency: 'dollars' }, 'the currency has not three letters'],
    [{ amount: '0' }, 'the amount is not a number above 0'],
    [{ amount: '1.2.3' }, 'the amount is not a number above 0'],
    [{ amount_minor: '10.5' }, 'the amount is not a number above 0'],
    [{ outcome: 'pending' }, 'the outcome is neither a success nor a decline'],
    [{ outcome: '__proto__' }, 'the outcome is neither a success nor a decline'],
    [{ propensity: '0' }, 'the propensity is not above 0 and at most 1'],
    [{ propensity: '1.5' }, 'the propensity is not above 0 and at most 1'],
  ])('with %o is refused', (change, reason) => {
    expect(parsed(change)).toEqual({ kind: 'fault', reason });
  });

  it.each([
    ['2026-03-01 10:00', Date.UTC(2026, 2, 1, 10)],
    ['2026-03-01T10:00:00+02:00', Date.UTC(2026, 2, 1, 8)],
    ['2026-03-01 10:00:00 +0000', Date.UTC(2026, 2, 1, 10)],
    ['2026-03-01', Date.UTC(2026, 2, 1)],
    ['1772359200', Date.UTC(2026, 2, 1, 10)],
    ['1772359200000', Date.UTC(2026, 2, 1, 10)],
    ['2026-13-01T10:00:00Z', undefined],
    ['1999-01-01', undefined],
    ['2026-02-30', undefined],
    ['2026-04-31 10:00:00Z', undefined],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['12', undefined],
  ])('was at %s', (text, ms) => expect(parseTime(text)).toBe(ms));

  it.each([
    [{ amount: '10', currency: 'JPY' }, 10],
    [{ amount: '10,25' }, 1_025],
    [{ amount: '10,000' }, 1_000_000],
    [{ amount: '0,500', currency: 'KWD' }, 500],
    [{ amount: '7', amount_minor: '42' }, 42],
  ])('with %o is of that many minor units', (change, amountMinor) => {
    expect(parsed(change)).toMatchObject({ attempt: { amountMinor } });
  });

  it('has codes of two characters from the network, and words from the PSP', () => {
    const said = (change: Partial<Record<ColumnName, string>>, shape?: ShapeName) => {
      const result = parsed(change, shape);
      return result.kind === 'attempt' ? result.attempt.said : result;
    };
    expect(said({ decline_code: '05' })).toEqual({ psp: 'stripe', networkCode: '05' });
    expect(said({ decline_code: '05', psp: 'adyen' })).toEqual({ psp: 'adyen', pspCode: '05' });
    expect(said({ decline_code: 'insufficient_funds' }, 'stripe')).toEqual({
      psp: 'stripe',
      pspCode: 'insufficient_funds',
    });
  });
});

describe('shapes', () => {
  const stripe = ['id', 'Created date (UTC)', 'Amount', 'Currency', 'Status', 'Customer ID'];

  it('are told by their columns', () => {
    expect(detectShape(stripe)).toBe('stripe');
    expect(detectShape(['id', 'payment_method_details'])).toBe('stripe');
    expect(detectShape(['attempt_id', 'occurred_at'])).toBe('generic');
  });

  it('say which columns a header lacks', () => {
    expect(missingColumns('stripe', stripe)).toEqual([]);
    const header = ['attempt_id', 'payment_id', 'time', 'amount_minor', 'currency', 'status'];
    expect(missingColumns('generic', header)).toEqual(['customer_id']);
    expect(missingColumns('generic', header.with(3, 'sum'))).toEqual([
      'customer_id',
      'amount or amount_minor',
    ]);
  });
});
