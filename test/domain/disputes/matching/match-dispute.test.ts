import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  matchDispute,
  rankMatches,
} from '../../../../src/domain/disputes/matching/match-dispute.ts';
import {
  type AnalyticsIdentifiers,
  type DisputeIdentifiers,
  scoreMatch,
} from '../../../../src/domain/disputes/matching/match-score.ts';

const chargedAt = new Date('2026-06-01T12:00:00Z');
const dispute: DisputeIdentifiers = {
  psp: 'stripe',
  paymentIds: ['ch_1', 'pi_1'],
  networkTransactionId: 'nti_1',
  invoiceIds: ['in_1', 'order_1'],
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  emailIndex: 'mail_1',
  card: 'fp_1',
  amountMinor: 4_900,
  chargedAt,
};

function analyticsRecord(changes: Partial<AnalyticsIdentifiers>): AnalyticsIdentifiers {
  return { id: 'cap_1', psp: 'stripe', capturedAt: new Date('2026-06-01T11:00:00Z'), ...changes };
}

describe('the score', () => {
  test.each<[string, Partial<AnalyticsIdentifiers>, number, readonly string[], boolean]>([
    ['charge', { chargeId: 'ch_1' }, 100, ['charge'], false],
    ['payment intent as transaction', { transactionId: 'pi_1' }, 100, ['transaction'], false],
    ['network transaction', { networkTransactionId: 'nti_1' }, 98, ['network_transaction'], false],
    [
      "network's id in transaction_id",
      { transactionId: 'nti_1' },
      98,
      ['network_transaction'],
      false,
    ],
    ['invoice', { invoiceId: 'in_1' }, 95, ['invoice'], false],
    ["the merchant's reference", { invoiceId: 'order_1' }, 95, ['invoice'], false],
    ['part of an invoice', { invoiceId: 'in_1', amountMinor: 100 }, 70, ['invoice_part'], false],
    ['subscription', { subscriptionId: 'sub_1' }, 80, ['subscription'], true],
    ['customer', { customerId: 'cus_1' }, 60, ['customer'], true],
    [
      'e-mail and card in time',
      { emailIndex: 'mail_1', card: 'fp_1' },
      51,
      ['email_card_time', 'email'],
      true,
    ],
    ['e-mail', { emailIndex: 'mail_1' }, 10, ['email'], true],
    ['nothing', {}, 0, [], false],
    [
      'another PSP',
      { psp: 'adyen', chargeId: 'ch_1', invoiceId: 'in_1', customerId: 'cus_1' },
      0,
      [],
      false,
    ],
    [
      'subscription and customer',
      { subscriptionId: 'sub_1', customerId: 'cus_1' },
      81,
      ['subscription', 'customer'],
      true,
    ],
    ['empty texts', { chargeId: '', invoiceId: '' }, 0, [], false],
  ])('%s', (_, changes, score, reasons, isInherited) => {
    expect(scoreMatch(dispute, analyticsRecord(changes))).toEqual({ score, reasons, isInherited });
  });

  test('a checkout after the charge passes nothing on to it, but that which tells of its subscription at once', () => {
    const score = (at: string, ids: Partial<AnalyticsIdentifiers>) =>
      scoreMatch(dispute, analyticsRecord({ capturedAt: new Date(at), ...ids })).score;
    expect(score('2026-06-01T13:00:00Z', { subscriptionId: 'sub_1' })).toBe(80);
    expect(score('2026-06-01T13:00:01Z', { subscriptionId: 'sub_1' })).toBe(0);
    expect(score('2026-06-01T12:00:01Z', { customerId: 'cus_1', chargeId: 'ch_2' })).toBe(0);
    expect(score('2026-06-01T13:00:01Z', { chargeId: 'ch_1' })).toBe(100);
  });

  const ids = {
    chargeId: 'ch_1',
    transactionId: 'pi_1',
    networkTransactionId: 'nti_1',
    invoiceId: 'in_1',
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    emailIndex: 'mail_1',
    card: 'fp_1',
  };
  const names = Object.keys(ids) as (keyof typeof ids)[];
  const pick = (chosen: readonly (keyof typeof ids)[]) =>
    analyticsRecord(Object.fromEntries(chosen.map((name) => [name, ids[name]])));

  test('a further shared id never lowers it', () => {
    fc.assert(
      fc.property(fc.subarray(names), fc.constantFrom(...names), (chosen, extra) => {
        const [before, after] = [pick(chosen), pick([...chosen, extra])];
        expect(scoreMatch(dispute, after).score).toBeGreaterThanOrEqual(
          scoreMatch(dispute, before).score,
        );
      }),
    );
  });

  test('the order of matches does not depend on that of the analytics records', () => {
    const analyticsRecords = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 50 }),
        chosen: fc.subarray(names),
        minute: fc.integer({ min: 0, max: 3 }),
      }),
      { selector: ({ id }) => id, maxLength: 10 },
    );
    fc.assert(
      fc.property(analyticsRecords, (list) => {
        const all = list.map(({ id, chosen, minute }) => ({
          ...pick(chosen),
          id: `cap_${id}`,
          capturedAt: new Date(chargedAt.getTime() - minute * 60_000),
        }));
        expect(rankMatches(dispute, [...all].reverse())).toEqual(rankMatches(dispute, all));
      }),
    );
  });
});

describe('the outcome', () => {
  const emails = { emailIndex: 'mail_1' };
  test('the newest of equal analytics records of one customer is taken', () => {
    const older = analyticsRecord({
      ...emails,
      subscriptionId: 'sub_1',
      capturedAt: new Date('2026-01-01'),
    });
    const newer = analyticsRecord({ ...emails, id: 'cap_2', subscriptionId: 'sub_1' });
    expect(matchDispute(dispute, [older, newer])).toMatchObject({
      kind: 'matched',
      matches: [
        { analyticsRecord: { id: 'cap_2' }, isInherited: true },
        { analyticsRecord: { id: 'cap_1' } },
      ],
    });
  });

  test('a checkout before a renewal stands before one of the same subscription after it', () => {
    const of = { ...emails, subscriptionId: 'sub_1' };
    const after = analyticsRecord({ ...of, capturedAt: new Date('2026-06-01T12:30:00Z') });
    const before = analyticsRecord({ ...of, id: 'cap_2', capturedAt: new Date('2026-01-01') });
    expect(matchDispute(dispute, [after, before])).toMatchObject({
      kind: 'matched',
      matches: [{ analyticsRecord: { id: 'cap_2' } }, { analyticsRecord: { id: 'cap_1' } }],
    });
  });

  test('of equal ones captured in one moment the first by its id is taken', () => {
    const one = analyticsRecord({ ...emails, subscriptionId: 'sub_1' });
    const other = { ...one, id: 'cap_2' };
    const ids = rankMatches(dispute, [other, one]).map((match) => match.analyticsRecord.id);
    expect(ids).toEqual(['cap_1', 'cap_2']);
  });

  test('equal analytics records of two customers are a conflict', () => {
    const one = analyticsRecord({ chargeId: 'ch_1', emailIndex: 'mail_2' });
    const other = analyticsRecord({ id: 'cap_2', chargeId: 'ch_1', emailIndex: 'mail_3' });
    const outcome = matchDispute(dispute, [one, other]);
    expect(outcome.kind).toBe('conflict');
  });

  test('an e-mail alone is for a person, and nothing at all is none', () => {
    expect(matchDispute(dispute, [analyticsRecord(emails)]).kind).toBe('review');
    expect(matchDispute(dispute, [analyticsRecord({})]).kind).toBe('none');
  });
});
