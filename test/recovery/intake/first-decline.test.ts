import { describe, expect, it } from 'vitest';
import type { TransactionBody } from '../../../src/domain/payment-event.ts';
import type { Psp } from '../../../src/domain/psps.ts';
import { firstDecline } from '../../../src/recovery/intake/first-decline.ts';
import { failedEvent } from '../../kits/billing-events.ts';

type Outcome = TransactionBody['outcome'];

function declineOf(outcome: Partial<Outcome>, scheme = 'visa', psp?: Psp) {
  const event = failedEvent({ scheme, outcome: { raw_response_message: '', ...outcome } });
  const [transaction] = event.transactions;
  if (transaction === undefined) throw new Error('an event has a transaction');
  return firstDecline({ ...transaction, ...(psp !== undefined && { psp }) });
}

describe('the first decline', () => {
  it.each<readonly [Partial<Outcome>, string, string]>([
    [{ raw_response_message: '51: insufficient funds' }, '51', 'later'],
    [{ raw_response_message: ' 05 Do not honour' }, '05', 'later'],
    [{ raw_response_message: '43' }, '43', 'never'],
    [{ raw_response_message: 'R1 - revocation' }, 'R1', 'never'],
    [{ raw_response_message: 'declined', processor_response_code: '54' }, '54', 'fix_data'],
    [{ raw_response_message: 'declined', processor_response_code: 14 }, '14', 'never'],
    [{ raw_response_message: '51: funds', processor_response_code: '43' }, '43', 'never'],
  ])('of %j has the code %s and is of category %s', (outcome, networkCode, category) => {
    expect(declineOf(outcome)).toMatchObject({ code: networkCode, networkCode, category });
  });

  it('is read by the tables of its network', () => {
    expect(declineOf({ processor_response_code: '111' }, 'amex').category).toBe('never');
    expect(declineOf({ processor_response_code: '79' }, 'Master Card').category).toBe('fix_data');
    expect(declineOf({ processor_response_code: '79' }, 'visa').category).toBe('later');
  });

  it.each(['2000', 'card_declined', '', 'insufficient_funds'])(
    'is looked for in the message where the processor’s code %j is one of its own',
    (processor_response_code) => {
      const outcome = { processor_response_code, raw_response_message: '43: stolen card' };
      expect(declineOf(outcome)).toMatchObject({ networkCode: '43', category: 'never' });
    },
  );

  it.each(['Declined', 'DO NOT HONOR', 'NO ACCOUNT', 'PIN wrong', '2000: soft', '1', '', '5100'])(
    'is not found in the words %j',
    (raw_response_message) => {
      const decline = declineOf({ raw_response_message });
      expect(decline.networkCode).toBeUndefined();
      expect(decline).toMatchObject({ category: 'later', code: 'unknown' });
    },
  );

  it('is hard where the report says so, although the code would allow another try', () => {
    const hard = { response_type: 'hard_decline' } as const;
    expect(declineOf({ raw_response_message: '51', ...hard }).category).toBe('fix_data');
    expect(declineOf({ raw_response_message: 'no', ...hard })).toMatchObject({
      category: 'fix_data',
      code: 'hard_decline',
    });
    expect(declineOf({ raw_response_message: '43', ...hard }).category).toBe('never');
  });

  it.each<readonly [string, Partial<Outcome>, string | undefined]>([
    ['sepa_debit', { raw_response_message: 'AM04: insufficient funds' }, 'AM04'],
    // Codes of cards mean something else: 14 is a wrong number, and 909 a fault of the system.
    ['acss_debit', { processor_response_code: '909', raw_response_message: '14 wrong' }, undefined],
    ['PAD', { processor_response_code: 901 }, undefined],
    ['au_becs_debit', { raw_response_message: '05 no account' }, undefined],
    ['bacs_debit', { raw_response_message: '14' }, undefined],
    ['BACS Direct Debit', { raw_response_message: '14' }, undefined],
    ['sepa', { raw_response_message: 'no', processor_response_code: ' ms03' }, 'MS03'],
    ['ach', { raw_response_message: 'no', psp_response_message: 'R01 - no funds' }, 'R01'],
    ['ach', { raw_response_message: 'R011' }, undefined],
    ['visa', { raw_response_message: 'AM04' }, undefined],
    ['mastercard', { raw_response_message: 'R01' }, undefined],
  ])('of %s is the reason of a bank debit alone: %j', (scheme, outcome, networkCode) => {
    const decline = declineOf(outcome, scheme);
    expect(decline.networkCode).toBe(networkCode);
    expect(decline.category).toBe('later');
  });

  it.each([
    ['sepa_debit', 'AC04', {}],
    ['SEPA Direct Debit', 'MD01', { response_type: 'soft_decline' }],
    ['ach', 'R02', {}],
    ['us_bank_account', 'R10', {}],
  ] as const)('of %s with %s needs new data, as its scheme has it', (scheme, reason, mark) => {
    const decline = declineOf({ raw_response_message: `${reason}: no`, ...mark }, scheme);
    expect(decline).toMatchObject({ networkCode: reason, category: 'fix_data' });
    const [first] = decline.sources ?? [];
    expect(first).toEqual({ source: 'network_code', said: reason, category: 'fix_data' });
  });

  it('of a bank debit is hard where the report says so, although its scheme allows another', () => {
    const outcome = { raw_response_message: 'AM04', response_type: 'hard_decline' } as const;
    expect(declineOf(outcome, 'sepa_debit').category).toBe('fix_data');
    expect(
      declineOf(
        { processor_response_code: 'lost_card', raw_response_message: 'AC04' },
        'sepa',
        'stripe',
      ).category,
    ).toBe('never');
  });

  it('stays what its code says where the report calls it soft', () => {
    const outcome = { raw_response_message: '43', response_type: 'soft_decline' } as const;
    expect(declineOf(outcome).category).toBe('never');
  });

  it('keeps the issuer’s words, cut without breaking a character', () => {
    const { message } = declineOf({ raw_response_message: `${'x'.repeat(499)}😀 more` });
    expect(message?.length).toBeLessThanOrEqual(500);
    expect(message?.isWellFormed()).toBe(true);
  });

  it.each<readonly [Psp, Partial<Outcome>, string, string | undefined, string]>([
    [
      'stripe',
      { psp_response_message: 'insufficient_funds' },
      'insufficient_funds',
      undefined,
      'later',
    ],
    ['stripe', { processor_response_code: 'lost_card' }, 'lost_card', undefined, 'never'],
    ['stripe', { raw_response_message: 'expired_card' }, 'expired_card', undefined, 'fix_data'],
    [
      'stripe',
      { raw_response_message: '51', psp_response_message: 'lost_card' },
      'lost_card',
      '51',
      'later',
    ],
    ['braintree', { processor_response_code: 2001 }, '2001', undefined, 'later'],
    ['braintree', { processor_response_code: '2047' }, '2047', undefined, 'never'],
    [
      'braintree',
      { psp_response_message: '2018: Cardholder Stopped All Billing' },
      '2018',
      undefined,
      'never',
    ],
    ['adyen', { processor_response_code: 12 }, '12', undefined, 'later'],
    [
      'adyen',
      { processor_response_code: 8, raw_response_message: '05 : Do not honor' },
      '8',
      '05',
      'later',
    ],
    [
      'adyen',
      { psp_response_message: 'Not enough balance' },
      'Not enough balance',
      undefined,
      'later',
    ],
    [
      'adyen',
      { raw_response_message: '54 : Expired card', psp_response_message: 'Refused' },
      'Refused',
      '54',
      'fix_data',
    ],
    ['worldpay', { processor_response_code: 975 }, '975', undefined, 'never'],
    ['worldpay', { processor_response_code: 110 }, '110', undefined, 'later'],
    ['worldpay', { processor_response_code: 41 }, '41', '41', 'never'],
    ['checkout', { processor_response_code: 30041 }, '30041', undefined, 'never'],
    [
      'checkout',
      { raw_response_message: '20087 - Bad track data' },
      '20087',
      undefined,
      'fix_data',
    ],
  ])('is read by the table of %s: %j', (psp, outcome, code, networkCode, category) => {
    const decline = declineOf(outcome, 'visa', psp);
    expect(decline).toMatchObject({ code, category });
    expect(decline.networkCode).toBe(networkCode);
  });

  it('keeps what each source said, the deciding one first', () => {
    const outcome = {
      raw_response_message: '51',
      psp_response_message: 'lost_card',
      response_type: 'hard_decline',
    } as const;
    expect(declineOf(outcome, 'visa', 'stripe').sources).toEqual([
      { source: 'psp_category', said: 'hard_decline', category: 'fix_data' },
      { source: 'network_code', said: '51', category: 'later' },
      { source: 'psp_code', said: 'lost_card', category: 'never' },
    ]);
  });

  it('takes what Stripe did not send to the network for a case for a person', () => {
    const outcome = { raw_response_message: 'Declined', network_status: 'not_sent_to_network' };
    expect(declineOf(outcome, 'visa', 'stripe').category).toBe('review');
  });
});
