import { describe, expect, it } from 'vitest';
import {
  keptDispute,
  type ReportedDispute,
} from '../../../src/domain/disputes/reported-dispute.ts';
import { disputeOf } from '../../kits/dispute-cases.ts';

const unstorable = ['', 'x'.repeat(256), 'a\u0000b'];
const kept = (change: Partial<ReportedDispute>) => keptDispute(disputeOf(change));

describe('a reported dispute', () => {
  it('is kept as it came', () => {
    const dispute = disputeOf({
      merchantReference: 'order-1',
      idempotencyKey: 'key-1',
      networkTransactionId: 'nt_1',
      invoiceId: 'in_1',
      subscriptionId: 'sub_1',
      pspCustomerId: 'cus_1',
      paymentMethodId: 'pm_1',
      cardFingerprint: 'fp_1',
      cardLast4: '4242',
      reason: 'fraudulent',
    });
    expect(keptDispute(dispute)).toEqual(dispute);
  });

  it.each([
    'merchantReference',
    'idempotencyKey',
    'networkTransactionId',
    'invoiceId',
    'subscriptionId',
    'pspCustomerId',
    'paymentMethodId',
    'cardFingerprint',
    'reasonCode',
  ])('is kept without a %s that cannot be', (field) => {
    for (const text of unstorable) {
      const dispute = kept({ [field]: text });
      expect(dispute).toMatchObject({ pspDisputeId: 'dp_1' });
      expect(dispute).not.toHaveProperty(field);
    }
  });

  it('is not kept where its own id cannot be', () => {
    for (const pspDisputeId of unstorable) expect(kept({ pspDisputeId })).toBeUndefined();
  });

  it('has four digits of a card, or none', () => {
    expect(kept({ cardLast4: '4242' })).toHaveProperty('cardLast4', '4242');
    for (const cardLast4 of ['424', '42424', '424x', ' 4242']) {
      expect(kept({ cardLast4 })).not.toHaveProperty('cardLast4');
    }
  });

  it('has a code of at most 64 characters, and words of a bounded length', () => {
    expect(kept({ reasonCode: 'x'.repeat(64) })).toHaveProperty('reasonCode', 'x'.repeat(64));
    expect(kept({ reasonCode: 'x'.repeat(65) })).not.toHaveProperty('reasonCode');
    expect(kept({ reason: 'x'.repeat(10_000) })?.reason?.length).toBeLessThan(2_000);
  });

  it('has each name of its payment once, as far as they can be kept, a thousand at most', () => {
    expect(kept({ paymentIds: ['ch_1', '', 'pi_1', 'ch_1'] })?.paymentIds).toEqual([
      'ch_1',
      'pi_1',
    ]);
    const many = Array.from({ length: 1_001 }, (_, index) => `tx_${index}`);
    expect(kept({ paymentIds: many })?.paymentIds).toEqual(many.slice(0, 1_000));
  });
});
