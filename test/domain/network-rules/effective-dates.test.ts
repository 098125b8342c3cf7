import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import {
  commonDeclineCodes,
  visaDeclineCodes,
} from '../../../src/domain/declines/decline-codes.ts';
import type {
  CardAttempt,
  ProposedCharge,
} from '../../../src/domain/network-rules/card-attempt.ts';
import { judgeCharge } from '../../../src/domain/network-rules/judge-charge.ts';
import { feeText } from '../../../src/domain/network-rules/network-fee.ts';
import { ruledNetworkOf } from '../../../src/domain/network-rules/ruled-network.ts';
import { visaCategory } from '../../../src/domain/network-rules/visa-categories.ts';

const lastMoment = (date: string): Date => addMs(new Date(date), -1);

function charge(change: Partial<ProposedCharge> = {}): ProposedCharge {
  return {
    network: 'visa',
    credential: 'pan',
    initiator: 'mit',
    invoiceId: 'in_1',
    at: new Date('2026-06-15T12:00:00Z'),
    amountMinor: 1223,
    currency: 'USD',
    ...change,
  };
}

/** So many declines before a charge, one each `everyMs`, the last one that long before it. */
function declinesBefore(
  at: Date,
  count: number,
  everyMs: number,
  change: Partial<CardAttempt> = {},
): readonly CardAttempt[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `c_${index}`,
    invoiceId: 'in_1',
    at: addMs(at, -everyMs * (count - index)),
    initiator: 'mit' as const,
    credential: 'pan' as const,
    outcome: 'declined' as const,
    networkCode: '51',
    ...change,
  }));
}

/** How many declines, this far from each other, a charge may have behind it. */
function maxDeclines(proposed: ProposedCharge, everyMs: number): number {
  for (let count = 1; count <= 60; count += 1) {
    const history = declinesBefore(proposed.at, count, everyMs);
    if (judgeCharge(history, proposed).kind === 'blocked') return count - 1;
  }
  return Infinity;
}

describe('the Visa category of a code', () => {
  it.each([
    ['03', '2021-04-17', 1, 2],
    ['62', '2021-04-17', 1, 2],
    ['78', '2021-04-17', 1, 2],
    ['93', '2021-04-17', 1, 2],
    ['39', '2024-04-13', 4, 2],
    ['52', '2024-04-13', 4, 2],
    ['53', '2024-04-13', 4, 2],
    ['Z5', '2024-04-13', 4, 2],
    ['5C', '2025-04-11', 4, 2],
    ['9G', '2025-04-11', 4, 2],
    ['57', '2025-10-01', 1, 4],
    ['83', '2026-07-25', 4, 2],
    ['57', '2026-10-25', 4, 1],
  ])('%s changes on %s from %i to %i', (code, date, before, after) => {
    expect(visaCategory(code, undefined, lastMoment(date))).toBe(before);
    expect(visaCategory(code, undefined, new Date(date))).toBe(after);
  });

  it.each([
    ['70', 'europe', 3],
    ['70', 'cemea', 3],
    ['70', 'us', 4],
    ['70', undefined, 4],
    ['1A', 'europe', 3],
    ['1A', 'asia_pacific', 4],
    ['54', undefined, 3],
    ['05', undefined, 4],
    ['4', undefined, 1],
    [' r1 ', undefined, 1],
    ['constructor', undefined, 4],
  ] as const)('%s in the region %s is %i', (code, region, category) => {
    expect(visaCategory(code, region, new Date('2026-11-01'))).toBe(category);
  });

  it('agrees with the table of declines, as it stands in November 2026', () => {
    const table = { ...commonDeclineCodes, ...visaDeclineCodes };
    const differ = Object.entries(table).filter(
      ([code, row]) =>
        visaCategory(code, undefined, new Date('2026-11-01')) !== (row.visaCategory ?? 4),
    );
    expect(differ).toEqual([]);
  });
});

describe('how many declines a card may have behind it', () => {
  const month = dayMs + hourMs;
  const day = hourMs;

  it.each([
    ['visa', '2021-04-16', hourMs, Infinity],
    ['visa', '2021-04-17', hourMs, 15],
    ['visa', '2025-05-18', hourMs, 15],
    ['visa', '2025-05-19', hourMs, 20],
    ['visa', '2026-11-01', month, 20],
    ['mastercard', '2022-09-30', day, 19],
    ['mastercard', '2022-10-01', day, 9],
    ['mastercard', '2023-10-31', 5 * hourMs, Infinity],
    ['mastercard', '2023-11-01', 5 * hourMs, 34],
    ['amex', '2026-11-01', hourMs, 19],
    ['discover', '2026-11-01', 30 * hourMs, 19],
    ['unknown', '2026-11-01', hourMs, 9],
    ['unknown', '2026-11-01', 40 * hourMs, 14],
  ] as const)('%s on %s, one each %i ms: %d', (network, date, everyMs, max) => {
    expect(maxDeclines(charge({ network, at: new Date(date) }), everyMs)).toBe(max);
  });

  it('is lower for Mastercard in Brazil since February 2023', () => {
    const brazil = (at: Date) =>
      maxDeclines(charge({ network: 'mastercard', acquirerCountry: 'BR', at }), hourMs);
    expect(brazil(lastMoment('2023-02-01'))).toBe(9);
    expect(brazil(new Date('2023-02-01'))).toBe(6);
  });
});

describe('the counters of Visa', () => {
  const full = declinesBefore(charge().at, 21, hourMs);

  it('are apart for the cardholder and the merchant since 19 May 2025', () => {
    expect(judgeCharge(full, charge()).kind).toBe('blocked');
    expect(judgeCharge(full, charge({ initiator: 'cit' })).kind).toBe('allowed');
    const before = charge({ initiator: 'cit', at: lastMoment('2025-05-19') });
    const history = declinesBefore(before.at, 16, hourMs);
    expect(judgeCharge(history, before).kind).toBe('blocked');
  });

  it('are apart for a token and a card number', () => {
    expect(judgeCharge(full, charge({ credential: 'token' })).kind).toBe('allowed');
  });

  it('begin anew with an approval only for the charge that follows it', () => {
    const [first] = declinesBefore(charge().at, 1, hourMs / 2, { outcome: 'approved', id: 'ok' });
    if (first === undefined) throw new Error('one was made');
    expect(judgeCharge([...full, first], charge()).kind).toBe('allowed');
    const [last] = declinesBefore(charge().at, 1, hourMs / 4, { id: 'again' });
    if (last === undefined) throw new Error('one was made');
    expect(judgeCharge([...full, first, last], charge()).kind).toBe('blocked');
  });
});

describe('a refusal', () => {
  const declined = (change: Partial<CardAttempt>, agoMs = dayMs) =>
    declinesBefore(charge().at, 1, agoMs, change);

  it('says the rule, its words, its source and the network', () => {
    const judged = judgeCharge(declined({ networkCode: '43' }), charge());
    expect(judged).toEqual({
      kind: 'blocked',
      rule: {
        id: 'visa.category_1',
        words: 'Visa forbids another attempt on a card that was declined in category 1.',
        source: expect.stringContaining('table 7-2'),
        network: 'visa',
      },
      feesAvoided: [{ rule: 'visa.category_1', amountMicros: 100_000, currency: 'USD' }],
    });
  });

  it('holds for a token after the card number was refused, and for the cardholder', () => {
    const history = declined({ networkCode: '43' });
    expect(judgeCharge(history, charge({ credential: 'token' })).kind).toBe('blocked');
    expect(judgeCharge(history, charge({ initiator: 'cit' })).kind).toBe('blocked');
  });

  it('stands beside an approval or a replacement of the same moment', () => {
    const history = declined({ networkCode: '43' });
    const approved = declined({ outcome: 'approved', id: 'ok' });
    expect(judgeCharge([...history, ...approved], charge()).kind).toBe('blocked');
    const renewedAt = addMs(charge().at, -dayMs);
    expect(judgeCharge(history, charge({ renewedAt })).kind).toBe('blocked');
  });

  it('ends where the card was replaced, or its issuer approved it since', () => {
    const history = declined({ networkCode: '43' });
    const renewed = (hours: number) => charge({ renewedAt: addMs(charge().at, -hours * hourMs) });
    expect(judgeCharge(history, renewed(23)).kind).toBe('allowed');
    expect(judgeCharge(history, renewed(25)).kind).toBe('blocked');
    const approved = declined({ outcome: 'approved', id: 'ok' }, hourMs);
    expect(judgeCharge([...history, ...approved], charge()).kind).toBe('allowed');
  });

  it.each([
    ['02', 72],
    ['24', 1],
    ['25', 24],
    ['26', 48],
    ['27', 96],
    ['28', 144],
    ['29', 192],
    ['30', 240],
  ])('with Mastercard’s advice %s lasts %i hours to the millisecond', (adviceCode, hours) => {
    const [decline] = declined({ adviceCode });
    const end = addMs(decline?.at ?? charge().at, hours * hourMs);
    const judge = (at: Date) =>
      judgeCharge(decline === undefined ? [] : [decline], charge({ network: 'mastercard', at }));
    expect(judge(addMs(end, -1))).toMatchObject({ kind: 'blocked', until: end });
    expect(judge(end).kind).toBe('allowed');
  });

  it.each([
    ['03', 'mastercard.advice_never'],
    ['21', 'mastercard.advice_never'],
    ['22', 'mastercard.advice_never'],
    ['40', 'mastercard.advice_spent'],
    ['41', 'mastercard.advice_spent'],
  ])('with Mastercard’s advice %s is for good', (adviceCode, id) => {
    const judged = judgeCharge(
      declined({ adviceCode }, 400 * dayMs),
      charge({ network: 'mastercard' }),
    );
    expect(judged).toMatchObject({ kind: 'blocked', rule: { id } });
    expect(judged).not.toHaveProperty('until');
  });

  it.each(['00', '01', '04', '05', '42', '43', '99', '77'])(
    'does not come of Mastercard’s advice %s',
    (adviceCode) => {
      const judged = judgeCharge(declined({ adviceCode }, 1), charge({ network: 'mastercard' }));
      expect(judged.kind).toBe('allowed');
    },
  );

  it('of Elo ends with the calendar month of Brasilia', () => {
    const at = new Date('2026-07-31T22:00:00Z');
    const history = declinesBefore(at, 15, hourMs);
    const judge = (moment: Date) => judgeCharge(history, charge({ network: 'elo', at: moment }));
    const end = new Date('2026-08-01T03:00:00Z');
    expect(judge(at)).toMatchObject({ kind: 'blocked', until: end });
    expect(judge(addMs(end, -1)).kind).toBe('blocked');
    expect(judge(end).kind).toBe('allowed');
  });

  it.each([
    ['sepa_debit', 'AM04', 'sepa.retries'],
    ['ach', 'R01', 'ach.retries'],
  ] as const)('of %s comes after two retries', (network, networkCode, id) => {
    const judge = (count: number) =>
      judgeCharge(declinesBefore(charge().at, count, dayMs, { networkCode }), charge({ network }));
    expect(judge(2).kind).toBe('allowed');
    expect(judge(3)).toMatchObject({ kind: 'blocked', rule: { id } });
  });

  it.each([
    ['sepa_debit', 'MS03', 'allowed'],
    ['sepa_debit', 'MD01', 'blocked'],
    ['ach', 'R09', 'allowed'],
    ['ach', 'R02', 'blocked'],
  ] as const)('of %s depends on the reason: %s is %s', (network, networkCode, kind) => {
    expect(judgeCharge(declined({ networkCode }), charge({ network })).kind).toBe(kind);
  });

  it.each([
    ['sepa_debit', 'MD01', 'AM04'],
    ['ach', 'R02', 'R01'],
  ] as const)(
    'of %s goes with the account: an update voids %s, and no count',
    (network, networkCode, funds) => {
      const { at } = charge();
      const judge = (renewedAt: Date, history = declined({ networkCode })) =>
        judgeCharge(history, charge({ network, renewedAt }));
      const [{ at: declinedAt } = { at }] = declined({ networkCode });
      expect(judge(addMs(declinedAt, 1)).kind).toBe('allowed');
      expect(judge(declinedAt)).toMatchObject({ kind: 'blocked' });
      expect(judge(at, declined({ networkCode, outcome: 'sent' })).kind).toBe('blocked');
      const three = declinesBefore(at, 3, dayMs, { networkCode: funds });
      expect(judge(at, three)).toMatchObject({ rule: { id: expect.stringMatching('retries') } });
    },
  );

  it.each([
    [{ issuerCountry: 'IN', currency: 'INR', amountMinor: 1_500_000 }, 'allowed'],
    [{ issuerCountry: 'IN', currency: 'INR', amountMinor: 1_500_001 }, 'blocked'],
    [{ issuerCountry: 'IN', currency: 'INR', amountMinor: 1_500_001, initiator: 'cit' }, 'allowed'],
    [{ issuerCountry: 'US', currency: 'INR', amountMinor: 1_500_001 }, 'allowed'],
    [{ issuerCountry: 'IN', currency: 'USD', amountMinor: 1_500_001 }, 'allowed'],
  ] as const)('for a card of India: %j is %s', (change, kind) => {
    expect(judgeCharge([], charge(change)).kind).toBe(kind);
  });

  it('for a card of India lasts until a day after the debit before', () => {
    const history = declined({}, hourMs);
    expect(judgeCharge(history, charge({ issuerCountry: 'IN' }))).toMatchObject({
      kind: 'blocked',
      rule: { id: 'india.notice' },
      until: addMs(charge().at, 23 * hourMs),
    });
  });

  it('that ends into another one lasts until both have ended', () => {
    // Nine declines a day ago and one with advice 24 an hour ago: ten in a day, and a wait.
    const history = [
      ...declinesBefore(charge().at, 9, 2 * hourMs),
      ...declined({ adviceCode: '25', id: 'advised' }, hourMs),
    ];
    const judged = judgeCharge(history, charge({ network: 'mastercard' }));
    expect(judged).toMatchObject({ until: addMs(charge().at, 23 * hourMs) });
  });

  it('that ends when another limit has come into force lasts until that one ends, too', () => {
    // Ten declines in a day; with November begins a limit of 35 in thirty days.
    const at = new Date('2023-10-31T12:00:00Z');
    const [before, day] = [addMs(at, -5 * dayMs), declinesBefore(at, 10, hourMs)];
    const history = [...declinesBefore(before, 25, hourMs), ...day];
    expect(judgeCharge(history, charge({ network: 'mastercard', at }))).toMatchObject({
      rule: { id: 'mastercard.declines_24h' },
      until: addMs(before, -25 * hourMs + 30 * dayMs),
    });
  });
});

describe('the fees of a charge that is refused', () => {
  const feesOf = (history: readonly CardAttempt[], proposed: ProposedCharge) => {
    const judged = judgeCharge(history, proposed);
    return judged.kind === 'blocked' ? judged.feesAvoided.map(feeText) : 'allowed';
  };
  const closed = (at: Date) => declinesBefore(at, 1, hourMs, { networkCode: '04' });

  it.each([
    ['2026-04-24', 'US', 'US', '0.10 USD'],
    ['2026-04-24', 'DE', 'US', '0.15 USD'],
    ['2026-04-25', 'DE', 'US', '0.25 USD'],
    ['2026-04-25', 'DE', 'FR', '0.10 USD'],
    ['2026-04-25', undefined, 'US', '0.10 USD'],
  ])('of Visa on %s for a card of %s at an acquirer of %s: %s', (date, issuer, acquirer, fee) => {
    const at = new Date(date);
    const countries = {
      acquirerCountry: acquirer,
      ...(issuer === undefined ? {} : { issuerCountry: issuer }),
    };
    expect(feesOf(closed(at), charge({ at, ...countries }))).toEqual([fee]);
  });

  it('of Visa rise with the fourth recurring attempt after a stop', () => {
    const { at } = charge();
    const stopped = (after: number) => [
      ...declinesBefore(at, 1, 20 * hourMs, { networkCode: 'R1', id: 'stop' }),
      ...declinesBefore(at, after, hourMs),
    ];
    expect(feesOf(stopped(2), charge())).toEqual(['0.10 USD']);
    expect(feesOf(stopped(3), charge())).toEqual(['0.10 USD', '1.00 USD']);
  });

  it.each([
    ['2021-12-31', 'US', []],
    ['2022-12-01', 'US', ['0.10 USD']],
    ['2023-11-01', 'US', ['0.15 USD']],
    ['2024-01-01', 'US', ['0.30 USD']],
    ['2025-01-01', 'US', ['0.50 USD']],
    ['2024-07-31', 'DE', ['0.30 USD']],
    ['2024-08-01', 'DE', ['0.55 EUR']],
    ['2026-01-01', 'BR', ['2.00 BRL']],
    ['2026-01-01', undefined, ['0.50 USD']],
  ])('of Mastercard’s limits on %s at an acquirer of %s: %j', (date, acquirerCountry, fees) => {
    const at = new Date(date);
    const proposed = charge({
      network: 'mastercard',
      at,
      ...(acquirerCountry === undefined ? {} : { acquirerCountry }),
    });
    expect(feesOf(declinesBefore(at, 20, hourMs), proposed)).toEqual(fees);
  });

  it.each([
    [29, 'US', ['0.03 USD']],
    [29, 'BR', ['2.50 BRL']],
    [31, 'US', []],
  ])('of advice 03 given %i days ago at an acquirer of %s: %j', (days, acquirerCountry, fees) => {
    const proposed = charge({ network: 'mastercard', acquirerCountry });
    const history = declinesBefore(proposed.at, 1, days * dayMs, { adviceCode: '03' });
    expect(feesOf(history, proposed)).toEqual(fees);
  });

  it('are told for an allowed charge, too: a late retry in Brazil', () => {
    const expected = (days: number, invoiceId = 'in_1') =>
      judgeCharge(
        declinesBefore(charge().at, 1, days * dayMs, { invoiceId }),
        charge({ acquirerCountry: 'BR' }),
      );
    expect(expected(29)).toMatchObject({ kind: 'allowed', expectedFees: [] });
    expect(expected(31)).toMatchObject({
      kind: 'allowed',
      expectedFees: [{ rule: 'visa.late_retry', amountMicros: 100_000, currency: 'USD' }],
    });
    expect(expected(31, 'in_before')).toMatchObject({ kind: 'allowed', expectedFees: [] });
  });
});

describe('the text of a fee', () => {
  it.each([
    [4_000, '0.004 EUR'],
    [100_000, '0.10 EUR'],
    [1_000_000, '1.00 EUR'],
    [12_345_678, '12.345678 EUR'],
    [0, '0.00 EUR'],
  ])('of %i micros is %s', (amountMicros, text) => {
    expect(feeText({ amountMicros, currency: 'EUR' })).toBe(text);
  });
});

describe('the network of a scheme', () => {
  it.each([
    ['Visa', 'visa'],
    [' MC ', 'mastercard'],
    ['Elo', 'elo'],
    ['SEPA', 'sepa_debit'],
    ['SEPA Direct Debit', 'sepa_debit'],
    ['ach_direct_debit', 'ach'],
    ['us_bank_account', 'ach'],
    ['jcb', 'unknown'],
    ['constructor', 'unknown'],
    [undefined, 'unknown'],
  ])('%s is %s', (scheme, network) => {
    expect(ruledNetworkOf(scheme)).toBe(network);
  });
});

it('a try of a Visa card thirty days after a refused one is no reattempt, and uses up none', () => {
  const proposed = charge();
  const judged = (gapDays: number) => {
    const recent = declinesBefore(proposed.at, 20, hourMs);
    const firstAt = addMs(recent[0]?.at ?? proposed.at, -gapDays * dayMs);
    const [earlier] = declinesBefore(addMs(firstAt, hourMs), 1, hourMs, { id: 'c_before' });
    return judgeCharge([...(earlier === undefined ? [] : [earlier]), ...recent], proposed).kind;
  };
  // Twenty after it within 30 days are all; the first of the twenty is none of a new thirty days.
  expect(judged(29)).toBe('blocked');
  expect(judged(30)).toBe('allowed');
});
