import { describe, expect, it } from 'vitest';
import { declineCategories } from '../../../src/domain/declines/decline.ts';
import { cardNetworks } from '../../../src/domain/declines/decline-codes.ts';
import { normaliseDecline } from '../../../src/domain/declines/normalise-decline.ts';
import { ownCodeRow } from '../../../src/domain/declines/psp-statements.ts';
import { type Psp, pspFacts, psps } from '../../../src/domain/psps.ts';

type Lists = Readonly<Partial<Record<(typeof declineCategories)[number], string>>>;

/** Every code of these lists, each with the category that it must have, through the public door. */
function readsEach(psp: Psp, lists: Lists): void {
  const cases = declineCategories.flatMap((category) =>
    (lists[category] ?? '').split(/\s+/).flatMap((code) => (code === '' ? [] : [[code, category]])),
  );
  it('lists no code twice', () => {
    const codes = cases.map(([code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
  it.each(cases)('reads %s as %s', (pspCode, category) => {
    const { sources, ...decline } = normaliseDecline({ psp, pspCode: pspCode ?? '' });
    expect(decline).toMatchObject({ category, code: pspCode });
    expect(sources).toEqual([{ source: 'psp_code', said: pspCode, category }]);
  });
}

// The lists below are written out from public lists, not from the tables.
describe('Stripe', () => {
  readsEach('stripe', {
    never: `lost_card stolen_card pickup_card fraudulent incorrect_number invalid_number
      invalid_account stop_payment_order revocation_of_authorization
      revocation_of_all_authorizations do_not_try_again merchant_blacklist testmode_decline
      previously_declined_do_not_retry`,
    fix_data: `expired_card incorrect_cvc invalid_cvc invalid_expiry_month invalid_expiry_year
      incorrect_address incorrect_zip incorrect_pin invalid_pin`,
    customer_action: `authentication_required authentication_not_handled
      mobile_device_authentication_required offline_pin_required online_or_offline_pin_required
      new_account_information_available`,
    technical: 'issuer_not_available processing_error reenter_transaction approve_with_id',
    later: `insufficient_funds card_velocity_exceeded withdrawal_count_limit_exceeded do_not_honor
      generic_decline call_issuer no_action_taken try_again_later security_violation
      restricted_card pin_try_exceeded card_declined`,
    review: `card_not_supported currency_not_supported invalid_amount not_permitted
      service_not_allowed transaction_not_allowed duplicate_transaction`,
  });

  it.each([
    ['do_not_try_again', 'never'],
    ['try_again_later', 'later'],
    ['confirm_card_data', 'fix_data'],
  ])('reads the advice %s as %s', (pspAdvice, category) => {
    expect(normaliseDecline({ psp: 'stripe', pspAdvice }).category).toBe(category);
  });

  it('waits a day where Stripe takes a card no more for the day', () => {
    const pspCode = 'card_decline_rate_limit_exceeded';
    expect(normaliseDecline({ psp: 'stripe', pspCode })).toMatchObject({
      category: 'later',
      waitMs: 86_400_000,
    });
    const longer = { network: 'mastercard', networkCode: '51', adviceCode: '26' } as const;
    expect(normaliseDecline({ psp: 'stripe', pspCode, ...longer }).waitMs).toBe(172_800_000);
  });
});

describe('Adyen', () => {
  readsEach('adyen', {
    never: '5 8 20 22 26 46 50',
    fix_data: '6 7 17 24 32',
    customer_action: '11 38 42 33 36 37 41 16',
    technical: '4 9 21 39 40',
    later: '2 3 12 18 27 28 29 14 31',
    review: '10 15 19 23 25 34 35',
  });

  it.each([
    ['Refused', 'later'],
    ['Not enough balance', 'later'],
    ['FRAUD', 'never'],
    ['expired card', 'fix_data'],
    ['Issuer Unavailable', 'technical'],
  ])('knows the reason %s by its name', (pspCode, category) => {
    expect(normaliseDecline({ psp: 'adyen', pspCode }).category).toBe(category);
  });

  it('does not take a response code with its zero for one of its own', () => {
    expect(ownCodeRow('adyen', '05')).toBeUndefined();
  });
});

/** The codes of a list such as `2000-2003 2016`. */
function spread(list: string): readonly string[] {
  return list.split(/\s+/).flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
}

const braintreeSoft = `2000-2003 2016 2025 2026 2034 2035 2038 2040 2042 2046 2048 2057 2062 2078
  2080 2092 2099 2101-2106 2109-2999 3000`;
const braintreeHard = `2004-2015 2017-2024 2027-2033 2036 2037 2039 2041 2043-2045 2047 2049-2056
  2058-2061 2063-2077 2079 2081-2091 2093-2098 2100 2107 2108`;

describe('Braintree', () => {
  readsEach('braintree', {
    never: '2005 2007 2008 2009 2012 2013 2015 2017 2018 2019 2043 2047 2053 2108',
    fix_data: '2004 2006 2010 2022 2059 2060 2105',
    customer_action: '2011 2041 2044 2099 2107',
    technical: '3000',
    later: '2000 2001 2002 2003 2014 2021 2034 2038 2046 2057 2103 2104 2106 2109 2500 2999',
    review: '2016 2024 2025 2026 2030 2045 2064',
  });

  it('has every code from 2000 to 3000, each soft or hard as its maker says', () => {
    const classOf = (code: string) => ownCodeRow('braintree', code)?.pspClass;
    expect(spread(braintreeSoft).filter((code) => classOf(code) !== 'soft')).toEqual([]);
    expect(spread(braintreeHard).filter((code) => classOf(code) !== 'hard')).toEqual([]);
    expect([...spread(braintreeSoft), ...spread(braintreeHard)].sort()).toEqual(
      spread('2000-2999').concat('3000'),
    );
  });

  it.each('2004 2009 2012 2019 2022 2047 2053'.split(' '))(
    'never tries %s again, on a Mastercard, where the response code would allow it',
    (pspCode) => {
      const said = { psp: 'braintree', pspCode, networkCode: '05' } as const;
      for (const network of [undefined, 'mastercard'] as const) {
        const { category } = normaliseDecline({ ...said, ...(network && { network }) });
        expect(['never', 'fix_data']).toContain(category);
      }
    },
  );

  it.each('2004 2005 2015'.split(' '))(
    'never tries %s again, on any card, where the response code would allow it',
    (pspCode) => {
      for (const network of cardNetworks) {
        const { category } = normaliseDecline({
          psp: 'braintree',
          pspCode,
          network,
          networkCode: '91',
        });
        expect(['never', 'fix_data']).toContain(category);
      }
    },
  );

  it('lets the response code of another network decide where only Mastercard forbids a retry', () => {
    const said = { psp: 'braintree', pspCode: '2019', networkCode: '05', network: 'visa' } as const;
    expect(normaliseDecline(said).category).toBe('later');
  });

  it.each([
    ['avs', 'fix_data'],
    ['avs_and_cvv', 'fix_data'],
    ['cvv', 'fix_data'],
    ['duplicate', 'review'],
    ['fraud', 'review'],
    ['risk_threshold', 'review'],
    ['application_incomplete', 'review'],
    ['token_issuance', 'customer_action'],
    ['excessive_retry', 'never'],
  ])(
    'reads the rejection %s of the gateway as %s, whatever the issuer had approved',
    (pspCode, category) => {
      const said = { psp: 'braintree', pspCode, networkCode: '00' } as const;
      expect(normaliseDecline(said).category).toBe(category);
    },
  );
});

describe('Worldpay', () => {
  readsEach('worldpay', {
    never: '4 7 12 14 15 41 43 46 57 972 973 975',
    fix_data: '54 835',
    technical: '6 91',
    later: '1 5 34 51 59 61 62 65',
    review: '3 13',
  });

  it.each('76 78 79 82 83'.split(' '))(
    'takes %s, which every network reads in its own way, for generic where none is told',
    (pspCode) => {
      expect(normaliseDecline({ psp: 'worldpay', pspCode }).category).toBe('later');
    },
  );

  it.each([
    ['3', 'visa', 'later'],
    ['79', 'visa', 'later'],
    ['79', 'mastercard', 'fix_data'],
    ['82', 'visa', 'fix_data'],
    ['82', 'mastercard', 'later'],
    ['83', 'visa', 'later'],
    ['R1', 'visa', 'never'],
  ] as const)('reads %s of %s as %s, by the table of the network', (pspCode, network, category) => {
    expect(normaliseDecline({ psp: 'worldpay', pspCode, network }).category).toBe(category);
  });

  it.each([
    ['110', 'later'],
    ['301', 'never'],
    ['305', 'fix_data'],
    ['328', 'never'],
    ['349', 'later'],
    ['372', 'review'],
  ])(
    'reads its own %s as %s, which American Express gives another meaning',
    (pspCode, category) => {
      expect(normaliseDecline({ psp: 'worldpay', pspCode }).category).toBe(category);
    },
  );
});

describe('Checkout.com', () => {
  readsEach('checkout', {
    never: `20012 20014 20057 200R1 200R3 30004 30007 30015 30034 30035 30036 30037 30038 30041
      30043 30046 40201`,
    fix_data: '20054 20055 20082 20087 20100 20101 20108 20179 30033',
    customer_action: '20017 20070 20151 20152 20154 43401 44301',
    technical: '20068 20091 20096 200A6 200E3 200S4',
    later: '20001 20002 20005 20046 20051 20059 20061 20062 20063 20065 20075 20078 20182 20183',
    review: `20003 20013 20058 20093 20103 20106 200E0 30401 30402 30403 30404 30405 40101 40202
      41101 42301 43301 50003`,
  });

  it.each([
    ['20998', 'later'],
    ['30998', 'fix_data'],
    ['40998', 'review'],
  ])('reads %s, which has no row, as %s by its class', (pspCode, category) => {
    expect(normaliseDecline({ psp: 'checkout', pspCode }).category).toBe(category);
  });

  it('reads letters in either case', () => {
    expect(normaliseDecline({ psp: 'checkout', pspCode: '200r3' }).category).toBe('never');
  });
});

describe('where sources disagree', () => {
  it.each([
    ['stripe', 'do_not_honor', '05', 'later'],
    ['braintree', '2000', '05', 'later'],
    ['checkout', '20005', '05', 'later'],
    ['adyen', '2', '05', 'later'],
    ['stripe', 'insufficient_funds', '51', 'later'],
    ['braintree', '2001', '51', 'later'],
    ['stripe', 'expired_card', '54', 'fix_data'],
    ['braintree', '2004', '54', 'fix_data'],
    ['adyen', '6', '54', 'fix_data'],
    ['braintree', '2014', '59', 'later'],
    ['adyen', '31', '59', 'later'],
    ['stripe', 'restricted_card', '62', 'later'],
    ['adyen', '25', '62', 'later'],
    ['worldpay', '62', '62', 'later'],
    ['stripe', 'transaction_not_allowed', '57', 'never'],
    ['braintree', '2015', '57', 'never'],
  ] as const)('%s %s with %s is %s', (psp, pspCode, networkCode, category) => {
    expect(normaliseDecline({ psp, pspCode, networkCode }).category).toBe(category);
  });
});

it('gives every row one category and a meaning, and blocks only by what stops a plan or waits', () => {
  for (const psp of psps) {
    const tables = pspFacts[psp].declines;
    if (tables === undefined) continue;
    expect(tables.source).toMatch(/^\S+/);
    const rows = [tables.codes, tables.advice ?? {}, tables.categories ?? {}].flatMap((table) =>
      Object.entries(table),
    );
    for (const [code, row] of rows) {
      expect(declineCategories, `${psp} ${code}`).toContain(row.category);
      expect(row.meaning, `${psp} ${code}`).toMatch(/^\S.*[^.]$/);
      if (row.blocks !== undefined && row.waitMs === undefined) {
        expect(['later', 'technical'], `${psp} ${code}`).not.toContain(row.category);
      }
    }
  }
});
