import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Decline,
  declineCategories,
  declineVoices,
} from '../../../src/domain/declines/decline.ts';
import { cardNetworks } from '../../../src/domain/declines/decline-codes.ts';
import {
  type DeclineSaid,
  normaliseDecline,
} from '../../../src/domain/declines/normalise-decline.ts';
import { psps } from '../../../src/domain/psps.ts';

type Said = { -readonly [Key in keyof DeclineSaid]: DeclineSaid[Key] };

// What each source says, with what it means on its own; none of them is a block.
const network = 'mastercard';
const voices = [
  ['adviceCode', { '21': 'never', '01': 'fix_data', '40': 'customer_action', '02': 'later' }],
  ['networkCode', { '43': 'never', '54': 'fix_data', '51': 'later', '91': 'technical' }],
  ['pspAdvice', { confirm_card_data: 'fix_data', try_again_later: 'later' }],
  [
    'pspCode',
    {
      lost_card: 'never',
      expired_card: 'fix_data',
      authentication_required: 'customer_action',
      insufficient_funds: 'later',
      processing_error: 'technical',
      not_permitted: 'review',
    },
  ],
  ['pspCategory', { card_error: 'later', api_error: 'technical', blocked: 'review' }],
] as const;

/** For each source: it says nothing, something unknown, or one of its words. */
const combinations = fc.tuple(
  ...voices.map(([field, words]) =>
    fc
      .constantFrom(undefined, 'nobody_knows_this', ...Object.keys(words))
      .map((said) => ({ field, said, category: said && (words as Record<string, string>)[said] })),
  ),
);

function toSaid(parts: readonly { field: string; said: string | undefined }[]): DeclineSaid {
  const given = parts.flatMap(({ field, said }) => (said === undefined ? [] : [[field, said]]));
  return { psp: 'stripe', network, ...Object.fromEntries(given) };
}

describe('precedence', () => {
  it('is with the first source that a table knows, in every combination', () => {
    fc.assert(
      fc.property(combinations, (parts) => {
        const known = parts.filter(({ category }) => category !== undefined);
        const decline = normaliseDecline(toSaid(parts));
        expect(decline.category).toBe(known[0]?.category ?? 'later');
        expect(decline.sources?.map(({ said, category }) => [said, category]) ?? []).toEqual(
          known.map(({ said, category }) => [said, category]),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['stripe', { pspCode: 'previously_declined_do_not_retry' }],
    ['stripe', { pspAdvice: 'do_not_try_again' }],
    ['adyen', { pspCode: '46' }],
    ['braintree', { pspCode: '2047' }],
    ['braintree', { pspCode: 'excessive_retry' }],
    ['worldpay', { pspCode: '373' }],
  ] as const)('yields to the block of an acquirer: %s %j', (psp, block) => {
    for (const soft of [{ networkCode: '51' }, { networkCode: '91' }, { adviceCode: '24' }]) {
      const decline = normaliseDecline({ psp, network, ...soft, ...block });
      expect(decline.category).toBe('never');
      expect(decline.waitMs).toBeUndefined();
      expect(decline.sources?.[0]?.said).toBe(Object.values(block)[0]);
    }
  });

  it('never lets a block soften what a stricter source said', () => {
    const said = { psp: 'worldpay', pspCode: '372', networkCode: '43' } as const;
    expect(normaliseDecline(said).category).toBe('never');
  });

  it('passes over a response code of approval', () => {
    const said = { psp: 'stripe', networkCode: '00', pspCode: 'incorrect_cvc' } as const;
    expect(normaliseDecline(said).category).toBe('fix_data');
    expect(normaliseDecline({ psp: 'stripe', networkCode: '00' }).category).toBe('review');
  });

  it('knows hard and soft of every PSP', () => {
    for (const psp of psps) {
      expect(normaliseDecline({ psp, pspCategory: 'soft_declined' }).category).toBe('later');
      expect(normaliseDecline({ psp, pspCategory: 'HARD_DECLINED' }).category).toBe('fix_data');
    }
  });
});

describe('every text', () => {
  const odd = fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    '😀',
    '\0',
    '\ud800',
    '9'.repeat(400),
  );
  // Of UTF-16's units, half surrogates among them: a text of a PSP need not be well formed.
  const units = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 600 })
    .map((codes) => String.fromCharCode(...codes));
  const text = fc.option(fc.oneof(odd, fc.string(), units), { nil: undefined });
  const saids: fc.Arbitrary<Said> = fc
    .record({
      psp: fc.constantFrom(...psps),
      network: fc.option(fc.constantFrom(...cardNetworks), { nil: undefined }),
      networkCode: text,
      adviceCode: text,
      pspAdvice: text,
      pspCode: text,
      pspCategory: text,
      message: text,
    })
    .map((record) => {
      const given = Object.entries(record).filter(([, value]) => value !== undefined);
      return Object.fromEntries(given) as Said;
    });

  it('is answered with one category, by texts that can be kept', () => {
    fc.assert(
      fc.property(saids, (said) => {
        const decline: Decline = normaliseDecline(said);
        expect(declineCategories).toContain(decline.category);
        if (decline.sources !== undefined) {
          expect(decline.sources[0]?.category).toBe(decline.category);
          for (const { source } of decline.sources) expect(declineVoices).toContain(source);
        }
        const kept = JSON.stringify(decline);
        expect(kept).not.toContain('\\u0000');
        expect(kept.isWellFormed()).toBe(true);
        for (const value of [decline.code, decline.message ?? '', decline.networkCode ?? '']) {
          expect(value.length).toBeLessThanOrEqual(500);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('that no table knows is a decline that may pass later', () => {
    expect(normaliseDecline({ psp: 'stripe' })).toEqual({ category: 'later', code: 'unknown' });
    expect(normaliseDecline({ psp: 'paypal', pspCode: '__proto__' })).toEqual({
      category: 'later',
      code: '__proto__',
    });
  });
});
