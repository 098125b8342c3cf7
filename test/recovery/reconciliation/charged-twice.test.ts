import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { chargeKey } from '../../../src/recovery/engine/charge-key.ts';
import type { ListedCharge } from '../../../src/recovery/psp-ports.ts';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { reconciliationKit } from '../../kits/reconciliation.ts';

const engineWorld = useEngineWorld();
const [card = ''] = cardsOf('in_1', ['pm_sandbox_success']);
let world: EngineWorld;
let kit: ReturnType<typeof reconciliationKit>;

beforeEach(async () => {
  world = await engineWorld();
  kit = reconciliationKit(world);
  await world.submit(failedEvent({ invoiceId: 'in_1', methods: [card], at: world.clock.now() }));
  await world.settle();
});

/** What a PSP lists that made two charges of one key, of which the record holds none. */
function listed(pspTransactionId: string, changed: Partial<ListedCharge> = {}): ListedCharge {
  const { merchantId } = world;
  const debt = { merchantId, invoiceId: 'in_1', paymentMethodId: card };
  return {
    pspTransactionId,
    idempotencyKey: chargeKey({ ...debt, number: 1 }),
    state: 'succeeded',
    amountMinor: 1_223,
    currency: 'USD',
    createdAt: world.clock.now(),
    ...changed,
  };
}

/** Compared to the end, each page by itself. */
async function compare(
  purpose: 'restore' | 'reconcile',
  pages: readonly (readonly ListedCharge[])[],
) {
  const since = addMs(world.clock.now(), -hourMs);
  const to = addMs(world.clock.now(), 1_000);
  world.clock.passMs(hourMs);
  const begun = await kit.begin({
    since,
    purpose,
    report: { charges: pages.flat(), from: since, to },
  });
  await world.rows('delete from reconciliation_pages');
  for (const [page, charges] of pages.entries()) {
    await world.rows(
      `insert into reconciliation_pages (merchant_id, run_id, page, charges) values ($1, $2, $3, $4)`,
      [world.merchantId, begun.runId, page, JSON.stringify(charges)],
    );
  }
  return kit.finish(begun);
}

describe('a second charge of one key that the record does not hold', () => {
  it.each([
    { where: 'on one page', pages: () => [[listed('ch_1'), listed('ch_2')]] },
    { where: 'on two pages', pages: () => [[listed('ch_1')], [listed('ch_2')]] },
  ])('is found after a restored backup, $where', async ({ pages }) => {
    expect(await compare('restore', pages())).toMatchObject({ settled: 1, findings: 1 });
    expect(await world.payment('in_1')).toMatchObject({ status: 'recovered' });
    const sides = { ours: 'succeeded', theirs: 'succeeded' };
    expect(await kit.findings()).toEqual([{ kind: 'two_successes', invoiceId: 'in_1', ...sides }]);
  });

  it('is no finding where it was given back, or is the same one listed again', async () => {
    const givenBack = listed('ch_2', { refundedMinor: 1_223 });
    const pages = [[listed('ch_1'), givenBack], [listed('ch_1')]];
    expect(await compare('restore', pages)).toMatchObject({ settled: 1, findings: 0 });
    expect(await kit.findings()).toEqual([]);
  });

  it('freezes its debt where the first one was declined and it took the money', async () => {
    const declined = listed('ch_1', { state: 'declined' });
    expect(await compare('restore', [[declined, listed('ch_2')]])).toMatchObject({ findings: 1 });
    const sides = { ours: 'declined', theirs: 'succeeded' };
    expect(await kit.findings()).toEqual([{ kind: 'state_differs', invoiceId: 'in_1', ...sides }]);
    await world.runUntil(addMs(world.clock.now(), 30 * dayMs));
    expect(await world.ledger('in_1')).toEqual([]);
  });

  it('is a finding of its own where no debt accounts for either', async () => {
    const pages = [[listed('ch_1'), listed('ch_2')]];
    expect(await compare('reconcile', pages)).toMatchObject({ settled: 0, findings: 2 });
    const sides = { ours: undefined, theirs: 'succeeded' };
    const finding = { kind: 'missing_here', invoiceId: undefined, ...sides };
    expect(await kit.findings()).toEqual([finding, finding]);
  });
});
