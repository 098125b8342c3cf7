import { describe, expect, it } from 'vitest';
import { collectFacts } from '../../../src/disputes/evidence/collect-facts.ts';
import type { EvidenceRecords } from '../../../src/disputes/evidence/evidence-ports.ts';
import { daysBeforeCharge, disputedAt } from '../../kits/dispute-cases.ts';
import {
  checkoutOf,
  disputeDetail,
  earlierCharge,
  evidenceRecords,
  knownCharge,
  withoutSubscription,
} from './evidence-records.ts';

const nothingAdded = { open: async () => ({}) };
const jane = { customerEmail: 'jane@example.com', ipv4Address: '8.8.4.4' };

/** The facts of a packet, with which analytics records were opened for it. */
async function collected(changes: Partial<EvidenceRecords>) {
  const opened: string[] = [];
  const readPersonalData = async ({ analyticsId }: { analyticsId: string }) => {
    opened.push(analyticsId);
    return jane;
  };
  const reader = { actor: 'merchant', reason: 'evidence' };
  const found = await collectFacts(
    { analytics: { readPersonalData }, added: nothingAdded },
    evidenceRecords(changes),
    {
      reader,
      at: disputedAt,
    },
  );
  if (found.kind !== 'facts') throw new Error(found.kind);
  return { ...found.facts, opened };
}

describe('who began a disputed charge', () => {
  it('is the merchant where it was a retry, whatever its checkout says', async () => {
    const charge = withoutSubscription(knownCharge({ isRetry: true }));
    expect((await collected({ charge })).disputed.initiatedBy).toBe('merchant');
    expect((await collected({ charge: { ...charge, isRetry: false } })).disputed.initiatedBy).toBe(
      'customer',
    );
  });

  it('is the merchant where its subscription was charged before', async () => {
    const charge = knownCharge();
    const initiatedBy = async (changes: Partial<EvidenceRecords>) =>
      (await collected({ charge, ...changes })).disputed.initiatedBy;
    expect(await initiatedBy({ renewals: [charge] })).toBe('customer');
    expect(await initiatedBy({ renewals: [earlierCharge(), charge] })).toBe('merchant');
    const other = earlierCharge({ subscriptionId: 'sub_2' });
    expect(await initiatedBy({ renewals: [other, charge] })).toBe('customer');
  });

  it('is the merchant where it is the first one that is known of an older subscription', async () => {
    const initiatedBy = async (days: number) => {
      const charge = knownCharge({ subscriptionBegunAt: daysBeforeCharge(days) });
      return (await collected({ charge, renewals: [charge] })).disputed.initiatedBy;
    };
    expect(await initiatedBy(0)).toBe('customer');
    expect(await initiatedBy(2)).toBe('customer');
    expect(await initiatedBy(31)).toBe('merchant');
  });

  it('is judged by the subscription that the PSP names, where the charge names none', async () => {
    const { dispute } = evidenceRecords();
    const facts = { ...dispute.facts, subscriptionId: 'sub_1' };
    const { disputed } = await collected({
      dispute: { ...dispute, facts },
      charge: withoutSubscription(knownCharge()),
      renewals: [earlierCharge()],
    });
    expect(disputed.initiatedBy).toBe('merchant');
  });
});

describe('what was sold', () => {
  const details = { productDescription: 'Acme Pro' };
  const descriptions = async (changes: Partial<EvidenceRecords>) => {
    const { disputed, candidates } = await collected({ details, ...changes });
    return [disputed, ...candidates].map(({ productDescription }) => productDescription);
  };

  it('is stated of the disputed charge and of those of its subscription', async () => {
    const earlier = [earlierCharge(), earlierCharge({ id: 'ch_0', subscriptionId: 'sub_2' })];
    expect(await descriptions({ earlier })).toEqual(['Acme Pro', 'Acme Pro', undefined]);
  });

  it('is stated of no other charge where the disputed one is of no subscription', async () => {
    const charge = withoutSubscription(knownCharge());
    const earlier = [withoutSubscription(earlierCharge())];
    expect(await descriptions({ charge, earlier })).toEqual(['Acme Pro', undefined]);
  });

  it('is the product of the report where the merchant stated nothing', async () => {
    const earlier = [earlierCharge({ product: 'pro_monthly' })];
    expect(await descriptions({ details: {}, earlier })).toEqual([
      undefined,
      'Subscription: pro_monthly',
    ]);
  });
});

describe('analytics records', () => {
  it('are opened once each, however many charges share them', async () => {
    const analyticsRecords = [checkoutOf({ subscriptionId: 'sub_1' })];
    const earlier = [earlierCharge(), earlierCharge({ id: 'ch_2', invoiceId: 'in_2' })];
    const { opened, candidates } = await collected({ earlier, analyticsRecords });
    expect(opened).toEqual(['an_1']);
    expect(candidates.map(({ elements }) => [elements.email, elements.inherited])).toEqual(
      candidates.map(() => ['jane@example.com', ['ip', 'email']]),
    );
    expect(candidates).toHaveLength(2);
  });

  it('of a charge are found by its other name too', async () => {
    const analyticsRecords = [checkoutOf({ transactionId: 'tx_1' })];
    const elementsOf = async (otherId: string | undefined) => {
      const earlier = [earlierCharge({ ...(otherId !== undefined && { otherId }) })];
      const { candidates } = await collected({ earlier, analyticsRecords });
      return candidates[0]?.elements;
    };
    expect(await elementsOf('tx_1')).toMatchObject({ email: 'jane@example.com', inherited: [] });
    expect(await elementsOf('tx_2')).toEqual({ emailIsLogin: false, inherited: [] });
    expect(await elementsOf(undefined)).toEqual({ emailIsLogin: false, inherited: [] });
  });

  it.each([
    ['subscription', { subscriptionId: 'sub_1' }, false],
    ['customer', { customerId: 'pc_1' }, true],
    ['subscription and customer', { subscriptionId: 'sub_1', customerId: 'pc_1' }, false],
  ])('that are inherited by the %s: whether of another checkout', async (_name, ids, isOther) => {
    const { dispute } = evidenceRecords();
    const { candidates } = await collected({
      dispute: { ...dispute, facts: { ...dispute.facts, pspCustomerId: 'pc_1' } },
      earlier: [earlierCharge()],
      analyticsRecords: [checkoutOf(ids)],
    });
    expect(candidates).toMatchObject([
      { isOtherMandate: isOther, elements: { inherited: ['ip', 'email'] } },
    ]);
  });

  it('that the dispute was matched with are those of the disputed charge', async () => {
    const match = { analyticsId: 'an_1', score: 100, reasons: [], isInherited: false };
    const dispute = disputeDetail({ matchState: 'matched', matches: [match] });
    const { disputed } = await collected({ dispute });
    expect(disputed.elements).toMatchObject({ ip: '8.8.4.4', email: 'jane@example.com' });
    const mandateBy = async (reason: 'customer' | 'person' | 'subscription') => {
      const matches = [{ ...match, reasons: [reason], isInherited: true }];
      return (await collected({ dispute: { ...dispute, matches } })).disputed.isOtherMandate;
    };
    expect(await mandateBy('customer')).toBe(true);
    expect([await mandateBy('person'), await mandateBy('subscription')]).toEqual([false, false]);
    const review = { ...dispute, matchState: 'review' as const };
    expect((await collected({ dispute: review })).opened).toEqual([]);
  });
});

it('a dispute without an amount, of a charge that nobody reported, has no packet', async () => {
  const { charge: _, ...records } = evidenceRecords();
  const readPersonalData = async () => jane;
  const reader = { actor: 'merchant', reason: 'evidence' };
  const found = await collectFacts(
    { analytics: { readPersonalData }, added: nothingAdded },
    records,
    {
      reader,
      at: disputedAt,
    },
  );
  expect(found).toEqual({ kind: 'no_amount' });
});
