import { describe, expect, it } from 'vitest';
import { matchDispute } from '../../../../src/domain/disputes/matching/match-dispute.ts';
import type { AnalyticsIdentifiers } from '../../../../src/domain/disputes/matching/match-score.ts';

const at = new Date('2026-06-01T11:00:00Z');
const dispute = { psp: 'stripe', paymentIds: ['ch_1'], chargedAt: at } as const;
const record = (change: Partial<AnalyticsIdentifiers>): AnalyticsIdentifiers => ({
  id: 'cap_1',
  psp: 'stripe',
  capturedAt: at,
  chargeId: 'ch_1',
  ...change,
});
const kindOf = (one: Partial<AnalyticsIdentifiers>, other: Partial<AnalyticsIdentifiers>) =>
  matchDispute(dispute, [record(one), record({ id: 'cap_2', ...other })]).kind;

describe('two equal matches are of one customer', () => {
  it.each([
    ['with one customer id', { customerId: 'a' }, { customerId: 'a' }, 'matched'],
    ['with one address', { emailIndex: 'm' }, { emailIndex: 'm' }, 'matched'],
    [
      'with one address, of whom one id is known',
      { customerId: 'a', emailIndex: 'm' },
      { emailIndex: 'm' },
      'matched',
    ],
    ['named once', {}, { id: 'cap_1' }, 'matched'],
  ] as const)('%s', (_what, one, other, kind) => {
    expect(kindOf(one, other)).toBe(kind);
  });

  it.each([
    [
      'other ids, whatever their address',
      { customerId: 'a', emailIndex: 'm' },
      { customerId: 'b', emailIndex: 'm' },
    ],
    ['other addresses', { emailIndex: 'm' }, { emailIndex: 'n' }],
    ['one address known', { emailIndex: 'm' }, {}],
    ['nothing that says who they are', {}, {}],
  ] as const)('and not with %s', (_what, one, other) => {
    expect(kindOf(one, other)).toBe('conflict');
  });
});

it('equal matches stand with the newest first, then by id', () => {
  const newer = new Date(at.getTime() + 1);
  const records = [
    record({ id: 'cap_b', customerId: 'a' }),
    record({ id: 'cap_c', customerId: 'a', capturedAt: newer }),
    record({ id: 'cap_a', customerId: 'a' }),
  ];
  const outcome = matchDispute(dispute, records);
  const ids =
    outcome.kind === 'none' ? [] : outcome.matches.map(({ analyticsRecord }) => analyticsRecord.id);
  expect(ids).toEqual(['cap_c', 'cap_a', 'cap_b']);
});
