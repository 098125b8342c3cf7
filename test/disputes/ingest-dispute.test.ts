import { describe, expect, it } from 'vitest';
import { createDisputesModule } from '../../src/app/disputes/disputes-module.ts';
import { isAskedAgain } from '../../src/domain/disputes/asked-again.ts';
import type { ReportedDispute } from '../../src/domain/disputes/reported-dispute.ts';
import { failedEvent, paidEvent, worldStart } from '../kits/billing-events.ts';
import { disputeOf } from '../kits/dispute-cases.ts';
import { type EngineWorld, useEngineWorld } from '../kits/engine.ts';
import { createTestSealer } from '../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();
const hourMs = 3_600_000;

function disputesOf(world: EngineWorld) {
  const disputes = createDisputesModule({
    db: world.db,
    sealer: createTestSealer(),
    engine: { deps: world.deps },
  });
  return {
    ...disputes,
    tell: (changes: Partial<ReportedDispute> = {}, hours = 0) =>
      disputes.ingest({
        merchantId: world.merchantId,
        psp: 'sandbox',
        dispute: disputeOf(changes),
        occurredAt: new Date(worldStart.getTime() + hours * hourMs),
      }),
    async theOneDispute() {
      const { items } = await disputes.store.list({ merchantIds: [world.merchantId], limit: 10 });
      const [item, ...more] = items;
      if (item === undefined || more.length > 0) throw new Error(`${items.length} disputes`);
      const shown = await disputes.store.show(item);
      if (shown === undefined) throw new Error('a listed dispute is shown');
      return shown;
    },
  };
}

describe('a dispute that a PSP tells of', () => {
  it('is kept with its state, its facts and its deadline', async () => {
    const disputes = disputesOf(await engineWorld());
    await disputes.tell();
    expect(await disputes.theOneDispute()).toMatchObject({
      pspDisputeId: 'dp_1',
      origin: 'psp',
      state: { kind: 'dispute', stage: 'chargeback', status: 'needs_response' },
      facts: {
        network: 'visa',
        reasonCode: '10.4',
        money: { amountMinor: 4_900, currency: 'EUR' },
        paymentIds: ['ch_disputed'],
      },
      respondBy: { at: disputeOf().respondBy, isPspsOwn: true },
      blocksRetries: true,
      matchState: 'none',
      changes: [{ occurredAt: worldStart }],
      matches: [],
    });
  });

  it('told again is the same one, and its history has each change once', async () => {
    const disputes = disputesOf(await engineWorld());
    await Promise.all([disputes.tell(), disputes.tell(), disputes.tell()]);
    await disputes.tell({ status: 'under_review' } as Partial<ReportedDispute>, 2);
    await disputes.tell({ status: 'under_review' } as Partial<ReportedDispute>, 3);
    const { state, changes } = await disputes.theOneDispute();
    expect(state).toMatchObject({ status: 'under_review' });
    expect(changes).toHaveLength(2);
  });

  it('is never set back by an older event, which still stands in its history', async () => {
    const disputes = disputesOf(await engineWorld());
    await disputes.tell({ status: 'lost' } as Partial<ReportedDispute>, 9);
    await disputes.tell({ cardFingerprint: 'fp_1' }, 1);
    const { state, changes, facts, blocksRetries } = await disputes.theOneDispute();
    expect(state).toMatchObject({ status: 'lost' });
    expect(facts.cardFingerprint).toBe('fp_1');
    expect(blocksRetries).toBe(false);
    expect(changes.map((one) => one.state)).toMatchObject([
      { status: 'needs_response' },
      { status: 'lost' },
    ]);
  });

  it('has another deadline in its next stage', async () => {
    const disputes = disputesOf(await engineWorld());
    await disputes.tell();
    const { respondBy: _, ...next } = disputeOf({ stage: 'pre_arbitration' } as object);
    await disputes.ingest({
      merchantId: (await disputes.theOneDispute()).merchantId,
      psp: 'sandbox',
      dispute: next,
      occurredAt: new Date(worldStart.getTime() + hourMs),
    });
    const { respondBy } = await disputes.theOneDispute();
    expect(respondBy).toMatchObject({
      at: new Date(worldStart.getTime() + 10 * 24 * hourMs + hourMs),
      isPspsOwn: false,
    });
  });

  it('has no deadline of an earlier stage that is told of last', async () => {
    const world = await engineWorld();
    const disputes = disputesOf(world);
    const { respondBy: _, ...open } = disputeOf();
    const told = (stage: string, hours: number, more: Partial<ReportedDispute> = {}) =>
      disputes.ingest({
        merchantId: world.merchantId,
        psp: 'sandbox',
        dispute: { ...open, stage, ...more } as ReportedDispute,
        occurredAt: new Date(worldStart.getTime() + hours * hourMs),
      });
    await told('pre_arbitration', 3);
    await told('chargeback', 1, { respondBy: new Date(worldStart.getTime() + 2 * hourMs) });
    await told('pre_arbitration', 2);
    const { respondBy } = await disputes.theOneDispute();
    expect(respondBy).toMatchObject({
      // From the first that was told of the stage.
      at: new Date(worldStart.getTime() + 10 * 24 * hourMs + 2 * hourMs),
      isPspsOwn: false,
    });
  });

  it('shows that it was asked again where the review in between is told of last', async () => {
    const disputes = disputesOf(await engineWorld());
    await disputes.tell();
    await disputes.tell({}, 4);
    await disputes.tell({ status: 'under_review' } as Partial<ReportedDispute>, 3);
    const { psp: _, ...dispute } = await disputes.theOneDispute();
    expect(dispute.changes.map((one) => one.state)).toMatchObject([
      { status: 'needs_response' },
      { status: 'under_review' },
      { status: 'needs_response' },
    ]);
    const answeredAt = new Date(worldStart.getTime() + 2 * hourMs);
    expect(isAskedAgain({ ...dispute, psp: 'paypal' }, answeredAt)).toBe(true);
  });

  it('keeps a thousand names of its payment, however many its events name together', async () => {
    const disputes = disputesOf(await engineWorld());
    const named = (from: number) => Array.from({ length: 900 }, (_, index) => `tx_${from + index}`);
    await disputes.tell({ paymentIds: named(0) });
    await disputes.tell({ paymentIds: named(900), status: 'won' } as Partial<ReportedDispute>, 1);
    const { facts, state } = await disputes.theOneDispute();
    expect(state).toMatchObject({ status: 'won' });
    expect(facts.paymentIds).toEqual([...named(900), ...named(0).slice(0, 100)]);
  });

  it('of a charge that was reported has its invoice, subscription and card', async () => {
    const world = await engineWorld();
    const disputes = disputesOf(world);
    const event = paidEvent({ invoiceId: 'in_paid' });
    await world.submit(event);
    await world.settle();
    const [transaction] = event.transactions;
    await disputes.tell({ paymentIds: [transaction?.psp_transaction_id ?? ''] });
    expect(await disputes.theOneDispute()).toMatchObject({
      customerId: event.customer.id,
      facts: {
        invoiceId: 'in_paid',
        subscriptionId: event.subscription.id,
        paymentMethodId: transaction?.payment_method_id,
      },
    });
  });
});

describe('a disputed card', () => {
  const methods = ['pm_sandbox_success'];
  const disputed = { status: 'stopped', stopReason: 'disputed' };
  const later = new Date(worldStart.getTime() + 30 * 24 * hourMs);

  it.each([
    ['by its method', { paymentMethodId: 'pm_sandbox_success' }],
    ['by its customer alone', { pspCustomerId: 'cus_psp' }],
    ['by its fingerprint', { cardFingerprint: 'fp_1' }],
    ['by the charge', { paymentIds: ['ch_paid_in_0_1'] }],
  ])('named %s ends the recoveries that would charge it', async (_how, changes) => {
    const world = await engineWorld();
    const disputes = disputesOf(world);
    await world.submit(paidEvent({ invoiceId: 'in_0', pspCustomerId: 'cus_psp', methods }));
    await world.submit(failedEvent({ pspCustomerId: 'cus_psp', methods }));
    const other = { invoiceId: 'in_2', customerId: 'cus_2', pspCustomerId: 'cus_psp_2' };
    await world.submit(failedEvent({ ...other, methods: ['pm_sandbox_success--2'] }));
    await world.settle();
    await world.rows(
      `update payment_methods set fingerprint = 'fp_1', fingerprint_at = updated_at where payment_method_id = $1`,
      methods,
    );
    await disputes.tell(changes);
    expect(await world.payment()).toMatchObject(disputed);
    expect(await world.payment('in_2')).toMatchObject({ status: 'scheduled' });
    await world.runUntil(later);
    expect(await world.ledger('in_1')).toEqual([]);
    expect(await world.ledger('in_2')).toHaveLength(1);
  });

  it.each([
    ['a fraud warning', { kind: 'fraud_warning' }],
    ['one that is under review', { status: 'under_review' }],
  ])('ends a recovery under way: %s', async (_what, changes) => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods }));
    await world.settle();
    const told = { ...changes, paymentMethodId: 'pm_sandbox_success' };
    await disputesOf(world).tell(told as Partial<ReportedDispute>);
    expect(await world.payment()).toMatchObject(disputed);
  });

  it('begins no recovery, and is charged for no other invoice', async () => {
    const world = await engineWorld();
    await disputesOf(world).tell({ kind: 'fraud_warning', paymentMethodId: 'pm_sandbox_success' });
    await world.submit(failedEvent({ methods }));
    await world.submit(failedEvent({ invoiceId: 'in_2', methods: ['pm_sandbox_success--2'] }));
    await world.settle();
    expect(await world.payment()).toMatchObject(disputed);
    // The final check names the disputed card for an invoice that failed on another one.
    const payment_methods = [{ id: 'pm_sandbox_success' }];
    world.server.answerLookups({ body: { retry: true, reason: 'open', payment_methods } });
    await world.runUntil(later);
    expect(await world.ledger()).toEqual([]);
    // It said yes, once: the charge was about to begin.
    expect(world.server.lookups).toHaveLength(1);
    expect(await world.payment('in_2')).toMatchObject(disputed);
  });

  it('that is known by a payment which is reported later ends the recoveries that would charge it', async () => {
    const world = await engineWorld();
    const disputes = disputesOf(world);
    await world.submit(failedEvent({ methods }));
    await world.settle();
    await disputes.tell({ paymentIds: ['ch_paid_in_0_1'] });
    expect(await world.payment()).toMatchObject({ status: 'scheduled' });
    await world.submit(paidEvent({ invoiceId: 'in_0', methods }));
    await world.settle();
    const at = new Date(world.deps.clock.now().getTime() + hourMs);
    await disputes.matchAgain({ at, lookedBefore: at, openedAfter: new Date(0), limit: 10 });
    expect(await world.payment()).toMatchObject(disputed);
  });

  it('is charged again once the dispute is won', async () => {
    const world = await engineWorld();
    const disputes = disputesOf(world);
    await disputes.tell({ paymentMethodId: 'pm_sandbox_success' });
    await disputes.tell({ status: 'won' } as Partial<ReportedDispute>, 1);
    await world.submit(failedEvent({ methods }));
    await world.runUntil(later);
    expect(await world.ledger()).toHaveLength(1);
  });
});
