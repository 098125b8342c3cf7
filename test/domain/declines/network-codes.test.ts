import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeclineCategory, declineCategories } from '../../../src/domain/declines/decline.ts';
import {
  actionCodes1993,
  adviceCodes,
  cardNetworks,
  commonDeclineCodes,
  declineSources,
  mastercardDeclineCodes,
  visaDeclineCodes,
} from '../../../src/domain/declines/decline-codes.ts';
import {
  type DeclineSaid,
  normaliseDecline,
} from '../../../src/domain/declines/normalise-decline.ts';

/** The reading of what the network alone said: the sandbox has no table of its own. */
function readNetwork(said: Omit<DeclineSaid, 'psp'>) {
  const { category, waitMs } = normaliseDecline({ psp: 'sandbox', ...said });
  return { category, ...(waitMs !== undefined && { waitMs }) };
}

const hourMs = 3_600_000;
const tables = [commonDeclineCodes, visaDeclineCodes, mastercardDeclineCodes, actionCodes1993];
const networks = fc.option(fc.constantFrom(...cardNetworks), { nil: undefined });

// Table 7-2 of the Visa Core Rules of 18 April 2026, as public copies give it.
const visaCategories: readonly (readonly [1 | 2 | 3, string, readonly DeclineCategory[]])[] = [
  [1, '04 07 12 14 15 41 43 46 57 R0 R1 R3', ['never']],
  [2, '03 19 39 51 52 53 59 61 62 65 75 78 83 86 91 93 96 5C 9G N3 N4 Z5', ['later', 'technical']],
  [3, '54 55 82 6P N7', ['fix_data']],
];

describe('Visa', () => {
  for (const [visaCategory, codes, categories] of visaCategories) {
    it.each(codes.split(' '))(`places %s in category ${visaCategory}`, (networkCode) => {
      const row = visaDeclineCodes[networkCode] ?? commonDeclineCodes[networkCode];
      expect(row?.visaCategory).toBe(visaCategory);
      const { category } = readNetwork({ network: 'visa', networkCode });
      expect(categories).toContain(category);
    });
  }

  it('has no other code in a category of its own', () => {
    const listed = visaCategories.flatMap(([, codes]) => codes.split(' '));
    const placed = tables.flatMap((table) =>
      Object.entries(table).flatMap(([code, row]) => (row.visaCategory === undefined ? [] : code)),
    );
    expect(placed.sort()).toEqual(listed.sort());
  });

  it('is never softened by advice: only what forbids a retry is heeded', () => {
    for (const adviceCode of Object.keys(adviceCodes)) {
      const given = { network: 'visa', networkCode: '41', adviceCode } as const;
      expect(readNetwork(given)).toEqual({ category: 'never' });
      const forbidden = adviceCode === '03' || adviceCode === '21';
      expect(readNetwork({ ...given, networkCode: '51' })).toEqual({
        category: forbidden ? 'never' : 'later',
      });
    }
  });
});

it.each([
  ['82', 'visa', 'fix_data'],
  ['82', 'mastercard', 'later'],
  ['82', undefined, 'later'],
  ['83', 'visa', 'later'],
  ['83', 'mastercard', 'later'],
  ['79', 'visa', 'later'],
  ['79', 'mastercard', 'fix_data'],
  ['78', 'visa', 'later'],
  ['78', 'mastercard', 'fix_data'],
  ['70', 'visa', 'customer_action'],
  ['70', 'mastercard', 'later'],
  ['03', 'visa', 'later'],
  ['03', 'mastercard', 'review'],
] as const)('reads %s of %s as %s', (networkCode, network, category) => {
  const given = network === undefined ? { networkCode } : { networkCode, network };
  expect(readNetwork(given)).toEqual({ category });
});

it.each([
  ['05', 'later'],
  ['51', 'later'],
  ['54', 'fix_data'],
  ['57', 'never'],
  ['59', 'later'],
  ['62', 'later'],
  ['91', 'technical'],
  ['1A', 'customer_action'],
  ['00', 'review'],
  ['116', 'later'],
  ['200', 'never'],
] as const)('reads %s as %s where the network is not told', (networkCode, category) => {
  expect(readNetwork({ networkCode })).toEqual({ category });
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
])('waits with advice %s for %d hours', (adviceCode, hours) => {
  expect(readNetwork({ network: 'mastercard', networkCode: '51', adviceCode })).toEqual({
    category: 'later',
    waitMs: hours * hourMs,
  });
});

it.each([
  ['51', '03', 'never'],
  ['51', '21', 'never'],
  ['51', '01', 'fix_data'],
  ['51', '04', 'fix_data'],
  ['14', '01', 'fix_data'],
  ['79', '01', 'fix_data'],
  ['82', '03', 'never'],
  ['83', '01', 'customer_action'],
  ['83', '03', 'never'],
  ['51', '22', 'review'],
  ['51', '40', 'customer_action'],
  ['51', '41', 'customer_action'],
  ['51', '43', 'later'],
  ['14', '00', 'never'],
  ['14', '99', 'never'],
  ['14', '77', 'never'],
] as const)('reads %s with advice %s as %s', (networkCode, adviceCode, category) => {
  const given = { network: 'mastercard', networkCode, adviceCode } as const;
  expect(readNetwork(given)).toEqual({ category });
});

it('lets advice decide where no response code came', () => {
  expect(readNetwork({ adviceCode: '03' })).toEqual({ category: 'never' });
  expect(readNetwork({})).toEqual({ category: 'later' });
});

it.each([
  ['5', '05'],
  [' 51 ', '51'],
  ['r1', 'R1'],
])('reads %j as %j', (given, canonical) => {
  expect(readNetwork({ networkCode: given })).toEqual(readNetwork({ networkCode: canonical }));
});

it.each(['', 'constructor', '__proto__', 'insufficient_funds', '5 1', '5!', '2046'])(
  'takes %j, which is no response code, for a generic decline',
  (networkCode) => {
    expect(readNetwork({ networkCode })).toEqual({ category: 'later' });
  },
);

it('takes a response code that no table knows for a generic decline', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Z]{2}$/), networks, (networkCode, network) => {
      fc.pre(tables.every((table) => !Object.hasOwn(table, networkCode)));
      const given = network === undefined ? { networkCode } : { networkCode, network };
      expect(readNetwork(given)).toEqual({ category: 'later' });
    }),
  );
});

it('gives every text exactly one category, and a wait only with later', () => {
  const codes = fc.oneof(fc.string(), fc.string({ maxLength: 3 }));
  const adviceTexts = fc.oneof(fc.constantFrom(...Object.keys(adviceCodes)), fc.string());
  fc.assert(
    fc.property(
      networks,
      codes,
      fc.option(adviceTexts, { nil: undefined }),
      (network, networkCode, adviceCode) => {
        const result = readNetwork({
          networkCode,
          ...(network !== undefined && { network }),
          ...(adviceCode !== undefined && { adviceCode }),
        });
        expect(declineCategories).toContain(result.category);
        if (result.waitMs !== undefined) {
          expect(result.category).toBe('later');
          expect(result.waitMs).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

it('names a source for every row and keys every row by a response code', () => {
  for (const table of tables) {
    for (const [code, row] of Object.entries(table)) {
      expect(code).toMatch(/^[0-9A-Z]{2,3}$/);
      expect(declineSources[row.source]).toMatch(/.+/);
      expect(row.meaning).toMatch(/^\S.*[^.]$/);
    }
  }
});
