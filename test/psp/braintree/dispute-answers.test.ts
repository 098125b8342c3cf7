import { describe, expect, it } from 'vitest';
import type { BraintreeClient } from '../../../src/psp/braintree/client.ts';
import { lookUpBraintreeDispute, parseDispute } from '../../../src/psp/braintree/dispute.ts';
import type { Watched } from '../../../src/psp/watched-call.ts';
import { answered, lost, refused } from '../watched.ts';

describe('a dispute of Braintree', () => {
  const occurredAt = new Date('2026-11-02T09:00:00Z');
  const disputeOf = (change: object) => {
    const dispute = { id: 'dsp_1', status: 'open', kind: 'chargeback', ...change };
    const parsed = parseDispute({ dispute, kind: 'dispute_opened', occurredAt });
    return parsed.kind === 'dispute' ? parsed.dispute : parsed.kind;
  };

  it('is of the day that it was opened, the day that it was received, or its event’s', () => {
    const [dateOpened, receivedDate] = ['2026-10-01', '2026-10-02'];
    expect(disputeOf({ dateOpened, receivedDate })).toMatchObject({
      openedAt: new Date(dateOpened),
    });
    expect(disputeOf({ receivedDate })).toMatchObject({ openedAt: new Date(receivedDate) });
    expect(disputeOf({})).toMatchObject({ openedAt: occurredAt });
  });

  it('is over the disputed amount, or else the amount', () => {
    const money = { amount: '9.00', currencyIsoCode: 'USD' };
    expect(disputeOf(money)).toMatchObject({ money: { amountMinor: 900 } });
    expect(disputeOf({ ...money, amountDisputed: '5.00' })).toMatchObject({
      money: { amountMinor: 500 },
    });
  });

  it.each([
    ['2026-11-16', '2026-11-16T23:59:59.999Z'],
    ['2026-11-16T10:00:00Z', '2026-11-16T10:00:00.000Z'],
  ])('that is to be replied to by %s is taken until %s', (replyByDate, at) => {
    expect(disputeOf({ replyByDate })).toMatchObject({ respondBy: new Date(at) });
  });

  it('without an id has no record; without a status has the one of its event', () => {
    expect(disputeOf({ id: undefined })).toBeUndefined();
    expect(disputeOf({ status: undefined })).toMatchObject({
      status: 'needs_response',
      paymentIds: [],
    });
  });

  it('is looked up in its transaction', async () => {
    const question = {
      kind: 'dispute',
      status: 'needs_response',
      pspDisputeId: 'd',
      paymentIds: ['tx_1'],
    } as const;
    const lookUp = (sent: Watched<unknown>) => {
      const client = { find: async () => sent } as Partial<BraintreeClient> as BraintreeClient;
      return lookUpBraintreeDispute({ client }, question);
    };
    expect(
      await lookUp(answered({ id: 'tx_1', customer: { id: 'c_1', email: 'j@e.example' } })),
    ).toEqual({
      kind: 'read',
      facts: { pspCustomerId: 'c_1' },
      email: 'j@e.example',
    });
    for (const sent of [answered({ id: 'tx_2' }), answered('x'), refused(404)]) {
      expect(await lookUp(sent)).toEqual({ kind: 'nothing' });
    }
    for (const sent of [refused(403), lost]) {
      expect(await lookUp(sent)).toMatchObject({
        kind: 'unavailable',
        reason: expect.stringMatching(/^The disputed/),
      });
    }
  });
});
