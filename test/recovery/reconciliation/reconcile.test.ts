import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { chargeKey } from '../../../src/recovery/engine/charge-key.ts';
import type { ListedCharge } from '../../../src/recovery/psp-ports.ts';
import { reconcileStep } from '../../../src/recovery/reconciliation/reconcile-step.ts';
import type { Reconciliation } from '../../../src/recovery/reconciliation/reconciliation-ports.ts';
import { listReconciliations } from '../../../src/store/reconciliation/list-reconciliations.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { reconciliationKit } from '../../kits/reconciliation.ts';

const engineWorld = useEngineWorld();
let world: EngineWorld;
let kit: ReturnType<typeof reconciliationKit>;

beforeEach(async () => {
  world = await engineWorld();
  kit = reconciliationKit(world);
  for (const [id, method] of [
    ['in_1', 'pm_sandbox_success'],
    ['in_2', 'pm_sandbox_success_after_2'],
    ['in_3', 'pm_sandbox_decline_51'],
  ] as const) {
    await world.submit(failedEvent({ invoiceId: id, methods: cardsOf(id, [method]) }));
  }
  await world.runUntil(addMs(worldStart, 10 * dayMs));
  world.clock.passMs(2 * hourMs);
});

const run = async () => kit.finish(await kit.begin({ since: addMs(worldStart, -dayMs) }));

/** Charges at the PSP behind our back. */
async function plant(invoiceId: string, methodId: string, idempotencyKey: string) {
  const gateway = await world.deps.findGateway({ merchantId: world.merchantId, psp: 'sandbox' });
  if (gateway === undefined) throw new Error('no gateway');
  const charge = {
    merchantId: world.merchantId,
    invoiceId,
    idempotencyKey,
    amountMinor: 1_223,
    currency: 'USD',
    paymentMethodId: methodId,
    originalPspTransactionId: 'ch_1',
    sendBy: addMs(new Date(), dayMs),
  };
  return gateway.charge(charge);
}

describe('a comparison with the PSP’s list', () => {
  it('finds nothing where both agree, and says how much it read', async () => {
    const done = await run();
    expect(await kit.findings()).toEqual([]);
    const listed = (await world.ledger()).length;
    expect(done).toMatchObject({ state: 'done', listed, settled: 0, findings: 0 });
    expect(await world.rows('select 1 from reconciliation_charges')).toEqual([]);
  });

  it('finds an amount, a state, a charge missing there, each once however often it looks', async () => {
    await world.rows(`update psp_transactions set amount_minor = 1
      where state = 'succeeded' and invoice_id = 'in_1'`);
    await world.rows(`update psp_transactions set state = 'declined', decline = '{}'
      where state = 'succeeded' and invoice_id = 'in_2'`);
    await world.rows(`update psp_transactions
      set idempotency_key = 'rcp_' || repeat('0', 30), psp_transaction_id = 'sbx_none'
      where (attempt_id, ordinal) in (select attempt_id, ordinal from psp_transactions
        where invoice_id = 'in_3' order by sent_at limit 1)`);
    const expected = [
      { kind: 'amount_differs', invoiceId: 'in_1', ours: 'succeeded', theirs: 'succeeded' },
      { kind: 'missing_at_psp', invoiceId: 'in_3', ours: 'declined', theirs: 'none' },
      { kind: 'missing_here', invoiceId: undefined, ours: undefined, theirs: 'declined' },
      { kind: 'state_differs', invoiceId: 'in_2', ours: 'declined', theirs: 'succeeded' },
    ];
    const byKind = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind);
    expect(await run()).toMatchObject({ findings: 4 });
    expect((await kit.findings()).toSorted(byKind)).toEqual(expected);
    await run();
    expect((await kit.findings()).toSorted(byKind)).toEqual(expected);
  });

  it('finds a charge under a key of ours that the record does not hold', async () => {
    await plant('in_9', 'pm_sandbox_success', `rcp_${'7'.repeat(30)}`);
    world.clock.passMs(2 * hourMs);
    await run();
    expect(await kit.findings()).toMatchObject([{ kind: 'missing_here', theirs: 'succeeded' }]);
  });

  it('leaves charges alone that are neither ours nor of an invoice of ours', async () => {
    await plant('in_9', 'pm_sandbox_success', 'order-17');
    world.clock.passMs(2 * hourMs);
    expect(await run()).toMatchObject({ findings: 0 });
  });

  it('settles a charge whose answer was lost', async () => {
    const lost = cardsOf('in_4', ['pm_sandbox_lost_success']);
    await world.submit(failedEvent({ invoiceId: 'in_4', methods: lost, at: world.clock.now() }));
    const worker = world.worker(() => ({
      unknownCharges: {
        ...world.deps.unknownCharges,
        claimDue: async () => ({ items: [], isAll: true }),
      },
    }));
    await worker.settle();
    for (let day = 0; day < 9; day += 1) {
      world.clock.passMs(dayMs);
      await worker.settle();
    }
    expect(await world.rows(`select 1 from psp_transactions where state = 'unknown'`)).toHaveLength(
      1,
    );
    expect(await run()).toMatchObject({ settled: 1, findings: 0 });
    expect(await world.payment('in_4')).toMatchObject({ status: 'recovered' });
  });

  it('finds a second success of a debt, and one that nobody reported, in a report', async () => {
    const at = addMs(worldStart, 5 * dayMs);
    const listed = (id: string, invoice: string): ListedCharge => ({
      pspTransactionId: id,
      pspInvoiceId: invoice,
      state: 'succeeded',
      amountMinor: 1_223,
      currency: 'USD',
      createdAt: at,
    });
    const ledger = await world.ledger();
    const own = ledger.map((charge) => ({
      ...listed(charge.id, charge.invoice),
      state: charge.status,
      createdAt: new Date(charge.created_at),
    }));
    const charges = [...own, listed('ch_x', 'in_1'), listed('ch_y', 'in_3')];
    const since = addMs(worldStart, -dayMs);
    const report = { charges, from: since, to: world.clock.now() };
    const done = await kit.finish(await kit.begin({ since, report }));
    expect(done).toMatchObject({ state: 'done', source: 'report', listed: charges.length });
    expect(await kit.findings()).toEqual(
      expect.arrayContaining([
        { kind: 'two_successes', invoiceId: 'in_1', ours: undefined, theirs: 'succeeded' },
        { kind: 'missing_here', invoiceId: 'in_3', ours: undefined, theirs: 'succeeded' },
      ]),
    );
    expect(await kit.findings()).toHaveLength(2);
  });

  it('takes a charge that the record has by its other name for the same one', async () => {
    const since = addMs(worldStart, -dayMs);
    const charges = (await world.ledger()).map(
      (charge): ListedCharge => ({
        pspTransactionId: `${charge.id}_again`,
        alsoNamed: charge.id,
        idempotencyKey: charge.idempotency_key,
        state: charge.status,
        amountMinor: charge.amount,
        currency: charge.currency,
        createdAt: new Date(charge.created_at),
      }),
    );
    const compare = async (listed: readonly ListedCharge[]) => {
      const report = { charges: listed, from: since, to: world.clock.now() };
      return kit.finish(await kit.begin({ since, report }));
    };
    expect(await compare(charges)).toMatchObject({ listed: charges.length, findings: 0 });
    const nameless = charges.map(({ alsoNamed: _, ...charge }) => charge);
    const paid = charges.filter(({ state }) => state === 'succeeded');
    expect(paid).not.toHaveLength(0);
    expect(await compare(nameless)).toMatchObject({ findings: paid.length });
  });

  it('goes on where it was killed, and two processes do not count a step twice', async () => {
    const begun = await kit.begin({ since: addMs(worldStart, -dayMs) });
    expect(await kit.begin()).toMatchObject({ runId: begun.runId });
    const half = await kit.finish(begun, 1);
    expect(half).toMatchObject({ state: 'running', phase: 'ours', pages: 1 });
    expect(await kit.runs.advance(begun, { listed: 99 }, world.clock.now())).toBe(false);
    expect(await kit.finish(half)).toMatchObject({ state: 'done', pages: 3 });
    const { items } = await listReconciliations(world.db, { limit: 1 });
    expect(items).toMatchObject([{ runId: begun.runId }]);
  });

  it('waits for a PSP that does not answer, and says so where there is no list', async () => {
    const with_ = async (answer: object) => ({
      ...kit.deps,
      findGateway: async () => ({ listCharges: async () => answer }) as never,
    });
    const begun = await kit.begin();
    const away = await with_({ kind: 'unavailable', reason: 'HTTP 503' });
    expect(await reconcileStep(away, begun)).toBe('waits');
    const waiting = await kit.runs.find(begun);
    expect(waiting).toMatchObject({ state: 'running', phase: 'theirs', detail: 'HTTP 503' });
    const none = await with_({ kind: 'unsupported' });
    expect(await reconcileStep(none, waiting ?? begun)).toBe('ended');
    expect(await kit.runs.find(begun)).toMatchObject({ state: 'no_list' });
  });
});

describe('a step of a comparison', () => {
  it('says that it moved the run on, and that it ended it to the one process that did', async () => {
    const said: string[] = [];
    let before = await kit.begin();
    for (let at: Reconciliation | undefined = before; at?.state === 'running'; ) {
      before = at;
      said.push(await reconcileStep(kit.deps, at));
      at = await kit.runs.find(at);
    }
    expect(said.slice(0, -1)).toEqual(said.slice(0, -1).map(() => 'moved'));
    expect([said.length > 1, said.at(-1)]).toEqual([true, 'ended']);
    // Who does the last step once more ends nothing.
    expect(await reconcileStep(kit.deps, before)).toBe('moved');
  });
});

describe('after a restored backup', () => {
  it('leaves a charge that is still pending there to the next look', async () => {
    const [methodId = ''] = cardsOf('in_5', ['pm_sandbox_success']);
    await world.submit(
      failedEvent({ invoiceId: 'in_5', methods: [methodId], at: world.clock.now() }),
    );
    await world.settle();
    const debt = { merchantId: world.merchantId, invoiceId: 'in_5', paymentMethodId: methodId };
    const pending: ListedCharge = {
      pspTransactionId: 'ch_pending',
      idempotencyKey: chargeKey({ ...debt, number: 1 }),
      state: 'pending',
      amountMinor: 1_223,
      currency: 'USD',
      createdAt: world.clock.now(),
    };
    const since = addMs(world.clock.now(), -hourMs);
    world.clock.passMs(1_000);
    const report = { charges: [pending], from: since, to: world.clock.now() };
    const begun = await kit.begin({ since, purpose: 'restore', report });
    expect(await kit.finish(begun)).toMatchObject({ state: 'done', settled: 0 });
    expect(await world.rows(`select 1 from psp_transactions where invoice_id = 'in_5'`)).toEqual(
      [],
    );
    expect(await world.payment('in_5')).toMatchObject({ status: 'scheduled', attempts: [] });
  });

  it('records what was charged since: a success recovers, a decline is history', async () => {
    for (const [id, method] of [
      ['in_5', 'pm_sandbox_success'],
      ['in_6', 'pm_sandbox_decline_51'],
    ] as const) {
      const [methodId = ''] = cardsOf(id, [method]);
      await world.submit(
        failedEvent({ invoiceId: id, methods: [methodId], at: world.clock.now() }),
      );
      await world.settle();
      const debt = { merchantId: world.merchantId, invoiceId: id, paymentMethodId: methodId };
      await plant(id, methodId, chargeKey({ ...debt, number: 1 }));
    }
    const since = addMs(world.clock.now(), -hourMs);
    world.clock.passMs(1_000);
    const begun = await kit.begin({ since, purpose: 'restore' });
    expect(await kit.finish(begun)).toMatchObject({ state: 'done', settled: 2, findings: 0 });
    expect(await world.payment('in_5')).toMatchObject({
      status: 'recovered',
      attempts: [{ status: 'succeeded' }],
    });
    expect(await world.payment('in_6')).toMatchObject({
      status: 'scheduled',
      attemptCount: 1,
      attempts: [{ status: 'declined' }],
    });
    expect(await world.faults()).toEqual([]);
    await world.runUntil(addMs(world.clock.now(), 3 * dayMs));
    expect(await world.faults()).toEqual([]);
    expect(await world.ledger('in_5')).toHaveLength(1);
  });

  it('finds nothing missing where a process ended between an answer and its note', async () => {
    for (const [id, method] of [
      ['in_5', 'pm_sandbox_success'],
      ['in_6', 'pm_sandbox_decline_51'],
    ] as const) {
      const [methodId = ''] = cardsOf(id, [method]);
      const at = world.clock.now();
      await world.submit(failedEvent({ invoiceId: id, methods: [methodId], at }));
      await world.settle();
      const debt = { merchantId: world.merchantId, invoiceId: id, paymentMethodId: methodId };
      await plant(id, methodId, chargeKey({ ...debt, number: 1 }));
    }
    const since = addMs(world.clock.now(), -2 * hourMs);
    world.clock.passMs(2 * hourMs);
    const begun = await kit.begin({ since, purpose: 'restore' });
    await reconcileStep(kit.deps, begun);
    const ends = async () => Promise.reject(new Error('killed'));
    const run = (await kit.runs.find(begun)) ?? begun;
    const runs = { ...kit.runs, foundMissing: ends };
    await expect(reconcileStep({ ...kit.deps, runs }, run)).rejects.toThrow('killed');
    expect(await world.payment('in_5')).toMatchObject({ status: 'recovered' });
    expect(await world.payment('in_6')).toMatchObject({ attempts: [{ status: 'declined' }] });
    expect(await kit.finish(begun)).toMatchObject({ state: 'done', findings: 0 });
    expect(await kit.findings()).toEqual([]);
    expect(await world.payment('in_5')).toMatchObject({ status: 'recovered' });
    expect(await world.payment('in_6')).toMatchObject({ attempts: [{ status: 'declined' }] });
  });

  it('records the charges of several debts side by side, each debt in the order of its tries', async () => {
    const debts = Array.from({ length: 12 }, (_, index) => `in_${index + 10}`);
    const [declined, taken] = ['pm_sandbox_decline_51', 'pm_sandbox_success'] as const;
    for (const id of debts) {
      const methods = cardsOf(id, [declined, taken]);
      await world.submit(failedEvent({ invoiceId: id, methods, at: world.clock.now() }));
    }
    await world.settle();
    for (const id of debts) {
      for (const methodId of cardsOf(id, [declined, taken])) {
        const debt = { merchantId: world.merchantId, invoiceId: id, paymentMethodId: methodId };
        await plant(id, methodId, chargeKey({ ...debt, number: 1 }));
        world.clock.passMs(1_000);
      }
    }
    const since = addMs(world.clock.now(), -2 * hourMs);
    world.clock.passMs(2 * hourMs);
    const begun = await kit.begin({ since, purpose: 'restore' });
    await reconcileStep(kit.deps, begun);
    // Adopted and killed before any answer: the next process adopts nothing twice.
    const find = async () => Promise.reject(new Error('killed'));
    const killed = { ...kit.deps, answers: { ...kit.deps.answers, find } };
    const run = (await kit.runs.find(begun)) ?? begun;
    await expect(reconcileStep(killed, run)).rejects.toThrow('killed');
    expect(await kit.finish(begun)).toMatchObject({ state: 'done', settled: 24, findings: 0 });
    for (const id of debts) {
      expect(await world.payment(id)).toMatchObject({
        status: 'recovered',
        attemptCount: 2,
        attempts: [
          { number: 1, status: 'declined' },
          { number: 2, status: 'succeeded' },
        ],
      });
    }
    expect(await world.faults()).toEqual([]);
  });

  /** Two debts of one card, which was declined as stolen for the first of them after the backup. */
  async function stolenSince() {
    const [card = ''] = cardsOf('in_5', ['pm_sandbox_decline_43']);
    for (const invoiceId of ['in_5', 'in_6']) {
      await world.submit(failedEvent({ invoiceId, methods: [card], at: world.clock.now() }));
    }
    await world.settle();
    const { merchantId } = world;
    const debt = { merchantId, invoiceId: 'in_5', paymentMethodId: card };
    await plant('in_5', card, chargeKey({ ...debt, number: 1 }));
    const since = addMs(world.clock.now(), -hourMs);
    world.clock.passMs(1_000);
    return kit.begin({ since, purpose: 'restore' });
  }

  /** The same, where the PSP gives its list, and its record does not answer. */
  const withoutRecord = {
    findGateway: async (key: Parameters<typeof kit.deps.findGateway>[0]) => {
      const gateway = await kit.deps.findGateway(key);
      const lookUp = async () => ({ kind: 'unknown' as const, reason: 'HTTP 503' });
      return gateway && { ...gateway, lookUp };
    },
  };

  it('charges no card that was declined as stolen since, for none of its debts', async () => {
    expect(await kit.finish(await stolenSince())).toMatchObject({ state: 'done', settled: 1 });
    await world.runUntil(addMs(world.clock.now(), 30 * dayMs));
    expect(await world.ledger('in_5')).toHaveLength(1);
    expect(await world.ledger('in_6')).toEqual([]);
    expect(await world.faults()).toEqual([]);
  });

  it('takes a charge that is listed as declined for paid where the record says so', async () => {
    const begun = await stolenSince();
    const paid = { kind: 'succeeded' as const, pspTransactionId: 'ch_tried_again' };
    const findGateway = async (key: Parameters<typeof kit.deps.findGateway>[0]) => {
      const gateway = await kit.deps.findGateway(key);
      return gateway && { ...gateway, lookUp: async () => paid };
    };
    await reconcileStep({ ...kit.deps, findGateway }, begun);
    await reconcileStep({ ...kit.deps, findGateway }, (await kit.runs.find(begun)) ?? begun);
    expect(await world.payment('in_5')).toMatchObject({ status: 'recovered' });
    await world.runUntil(addMs(world.clock.now(), 30 * dayMs));
    expect(await world.ledger('in_5')).toHaveLength(1);
  });

  it('waits for the reason of a decline, and takes the list’s word after an hour', async () => {
    const begun = await stolenSince();
    const away = { ...kit.deps, ...withoutRecord };
    expect(await reconcileStep(away, begun)).toBe('moved');
    for (const outcome of ['waits', 'moved']) {
      const run = await kit.runs.find(begun);
      expect(await reconcileStep(away, run ?? begun)).toBe(outcome);
      if (outcome === 'moved') continue;
      const detail = 'why a charge was declined is not known: HTTP 503';
      expect(await kit.runs.find(begun)).toMatchObject({ phase: 'adopt', detail });
      world.clock.passMs(hourMs);
    }
    expect(await world.payment('in_5')).toMatchObject({
      attempts: [{ status: 'declined' }],
    });
  });

  it('asks for a reason three times once the hour is over', async () => {
    const begun = await stolenSince();
    await reconcileStep(kit.deps, begun);
    world.clock.passMs(2 * hourMs);
    let asked = 0;
    const findGateway: typeof kit.deps.findGateway = async (key) => {
      const gateway = await kit.deps.findGateway(key);
      const lookUp: NonNullable<typeof gateway>['lookUp'] = async (request) => {
        asked += 1;
        if (asked < 3) return { kind: 'unknown', reason: 'HTTP 503' };
        return gateway?.lookUp(request) ?? { kind: 'not_found' };
      };
      return gateway && { ...gateway, lookUp };
    };
    const run = (await kit.runs.find(begun)) ?? begun;
    expect(await reconcileStep({ ...kit.deps, findGateway }, run)).toBe('moved');
    expect(asked).toBe(3);
    expect(await kit.finish(begun)).toMatchObject({ state: 'done' });
    await world.runUntil(addMs(world.clock.now(), 30 * dayMs));
    expect(await world.ledger('in_6')).toEqual([]);
  });

  it('records the reason as soon as the record answers', async () => {
    const begun = await stolenSince();
    await reconcileStep(kit.deps, begun);
    const run = await kit.runs.find(begun);
    expect(await reconcileStep({ ...kit.deps, ...withoutRecord }, run ?? begun)).toBe('waits');
    expect(await kit.finish(begun)).toMatchObject({ state: 'done', settled: 1 });
    await world.runUntil(addMs(world.clock.now(), 30 * dayMs));
    expect(await world.ledger('in_5')).toHaveLength(1);
    expect(await world.ledger('in_6')).toEqual([]);
  });
});
