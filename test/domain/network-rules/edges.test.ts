import { describe, expect, it } from 'vitest';
import { addMs } from '../../../src/domain/clock.ts';
import { ownCodeRow } from '../../../src/domain/declines/psp-statements.ts';
import type { CardAttempt } from '../../../src/domain/network-rules/card-attempt.ts';
import { isHardDecline, keptAdvice } from '../../../src/domain/network-rules/hard-declines.ts';
import { judgeCharge } from '../../../src/domain/network-rules/judge-charge.ts';
import {
  adviceEffect,
  neverAgainAdvice,
} from '../../../src/domain/network-rules/mastercard-advice.ts';
import { feeRegionOf, visaRegionOf } from '../../../src/domain/network-rules/regions.ts';
import { visaCategory } from '../../../src/domain/network-rules/visa-categories.ts';

const at = new Date('2026-03-15T12:00:00Z');
const attempt = (change: Partial<CardAttempt>): CardAttempt => ({
  id: 'c_1',
  invoiceId: 'in_1',
  at,
  initiator: 'mit',
  credential: 'pan',
  outcome: 'declined',
  ...change,
});

describe('a month at Elo', () => {
  const begins = new Date('2026-03-01T03:00:00Z');
  const charged = (times: readonly Date[]) =>
    judgeCharge(
      times.map((time, index) => attempt({ id: `c_${index}`, at: time, networkCode: '51' })),
      {
        network: 'elo',
        invoiceId: 'in_2',
        at,
        initiator: 'mit',
        credential: 'pan',
        amountMinor: 1,
        currency: 'BRL',
      },
    );
  const fifteen = Array.from({ length: 15 }, (_, index) => addMs(begins, index * 1_000));

  it('begins at midnight in Brasilia, the first instant included', () => {
    expect(charged(fifteen)).toMatchObject({ kind: 'blocked' });
    expect(charged([addMs(begins, -1), ...fifteen.slice(1)]).kind).toBe('allowed');
  });

  it('has room for fourteen, and approved ones do not count', () => {
    expect(charged(fifteen.slice(1)).kind).toBe('allowed');
  });
});

describe('what is kept of a decline for good', () => {
  const source = (name: string, category: string) => [{ source: name, category }] as never;

  it.each([
    [{ networkCode: '04' }, true],
    [{ networkCode: ' 4 ' }, true],
    [{ networkCode: 'r0' }, true],
    [{ networkCode: '51' }, false],
    [{}, false],
    [{ networkCode: '51', adviceCode: '03' }, true],
    [{ networkCode: '51', adviceCode: '01' }, false],
    [{ networkCode: '51', adviceCode: '25' }, true],
  ])('%j is a hard decline: %j', (decline, expected) => {
    expect(isHardDecline(decline)).toBe(expected);
  });

  it('is a PSP’s own "do not try again", and its own code where the network gave none', () => {
    expect(keptAdvice({ sources: source('psp_advice', 'never'), networkCode: '51' })).toBe('03');
    expect(keptAdvice({ sources: source('psp_code', 'never') })).toBe('03');
    expect(keptAdvice({ sources: source('psp_code', 'never'), networkCode: '51' })).toBeUndefined();
    expect(keptAdvice({ sources: source('psp_advice', 'later'), adviceCode: '25' })).toBe('25');
    expect(keptAdvice({ sources: source('psp_advice', 'never'), adviceCode: '21' })).toBe('21');
    expect(keptAdvice({ adviceCode: '25' })).toBe('25');
  });

  it.each([
    ['3', 'never'],
    [' 03 ', 'never'],
    ['24', 'wait'],
    ['40', 'spent'],
    ['01', 'none'],
    ['77', 'none'],
    ['toString', 'none'],
    [undefined, 'none'],
  ])('the advice %j means %s', (advice, kind) => {
    expect(adviceEffect(advice).kind).toBe(kind);
  });

  it.each([
    ['03', true],
    ['3', true],
    [' 21 ', true],
    ['22', false],
    [undefined, false],
  ])('the advice %j ends a card on every network: %j', (adviceCode, expected) => {
    expect(neverAgainAdvice(attempt({ ...(adviceCode !== undefined && { adviceCode }) }))).toBe(
      expected,
    );
  });
});

it.each([
  ['US', 'us', 'north_america'],
  ['CA', 'canada', 'north_america'],
  ['BR', 'latin_america', 'brazil'],
  ['MX', 'latin_america', 'other'],
  ['DE', 'europe', 'economic_area'],
  ['GB', 'europe', 'economic_area'],
  ['CH', 'europe', 'europe_other'],
  ['AE', 'cemea', 'other'],
  ['JP', 'asia_pacific', 'other'],
])('%s is of the region %s, and pays the fees of %s', (country, region, fees) => {
  expect(visaRegionOf(country)).toBe(region);
  expect(feeRegionOf(country)).toBe(fees);
  expect(feeRegionOf(undefined)).toBe('other');
});

it.each([
  ['04', undefined, 1],
  [' 4', undefined, 1],
  ['r0', undefined, 1],
  ['51', undefined, 2],
  ['54', undefined, 3],
  ['05', undefined, 4],
  ['toString', undefined, 4],
  ['70', 'europe', 3],
  ['70', 'cemea', 3],
  ['70', 'us', 4],
  ['70', undefined, 4],
] as const)('Visa’s category of %s in %s is %i', (code, region, category) => {
  expect(visaCategory(code, region, at)).toBe(category);
});

it('a PSP’s code stands in a range as a whole number of nine digits at most', () => {
  expect(ownCodeRow('braintree', '2999')).toBeDefined();
  expect(ownCodeRow('braintree', ' 2999 ')).toEqual(ownCodeRow('braintree', '2998'));
  for (const code of ['2999x', 'x2999', '0000002999', '2999.5', '']) {
    expect(ownCodeRow('braintree', code), code).toBeUndefined();
  }
});
