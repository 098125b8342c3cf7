import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

const attemptsOf = (world: EngineWorld) =>
  world.rows(
    `select charge_ref, card_key, acceptor, origin, network, initiator, outcome, network_code,
            hard_decline, at
     from card_histories order by at, charge_ref`,
  );

describe('a charge that a merchant reports', () => {
  it('stands in its card’s history, with what the issuer said', async () => {
    const world = await engineWorld();
    const outcome = { raw_response_message: 'Declined', processor_response_code: 14 };
    await world.submit(failedEvent({ methods: ['pm_1'], scheme: 'MC', outcome }));
    await world.submit(paidEvent({ invoiceId: 'in_2', methods: ['pm_2'], scheme: 'Girocard' }));
    await world.settle();
    const common = { acceptor: 'sandbox', origin: 'reported', initiator: 'mit', at: worldStart };
    expect(await attemptsOf(world)).toEqual([
      {
        ...common,
        charge_ref: 'in_1/ch_failed_in_1_1',
        card_key: 'sandbox:pm_1',
        network: 'mastercard',
        outcome: 'declined',
        network_code: '14',
        hard_decline: true,
      },
      {
        ...common,
        charge_ref: 'in_2/ch_paid_in_2_1',
        card_key: 'sandbox:pm_2',
        network: 'unknown',
        outcome: 'approved',
        network_code: null,
        hard_decline: false,
      },
    ]);
  });

  it('makes what was judged without it be judged again: the card’s version rises', async () => {
    const world = await engineWorld();
    const version = async () =>
      (await world.rows<{ version: number }>('select version from cards'))[0]?.version ?? 0;
    const report = async (invoiceId: string) => {
      await world.submit(failedEvent({ invoiceId, methods: ['pm_1'] }));
      await world.settle();
      return version();
    };
    const first = await report('in_1');
    const second = await report('in_2');
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
  });

  it('counts once, however often it is reported', async () => {
    const world = await engineWorld();
    for (let times = 0; times < 3; times += 1) {
      await world.submit(failedEvent());
      await world.settle();
    }
    expect(await attemptsOf(world)).toHaveLength(1);
    expect(await world.rows('select version from cards')).toEqual([{ version: 1 }]);
  });

  it('counts once where it is our own charge, reported back to us', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(addMs(worldStart, dayMs));
    const [charge] = await world.ledger();
    const event = failedEvent({ methods: ['pm_sandbox_decline_51'], at: world.clock.now() });
    const [transaction] = event.transactions;
    if (transaction === undefined || charge === undefined) throw new Error('there is one of each');
    const transactions = [{ ...transaction, psp_transaction_id: charge.id }];
    await world.submit({ ...event, transactions });
    await world.settle();
    expect((await attemptsOf(world)).map(({ origin }) => origin)).toEqual(['reported', 'own']);
  });

  it('costs what its network charges, where it broke a rule', async () => {
    const world = await engineWorld();
    const outcome = { raw_response_message: '43: stolen card' };
    const again = (hours: number) =>
      world.submit(
        failedEvent({ invoiceId: `in_${hours}`, outcome, at: addMs(worldStart, -hours * hourMs) }),
      );
    // The first one is no reattempt; of the two after it, one is reported before the other.
    for (const hours of [3, 1, 2]) await again(hours);
    // Of two at one moment neither came after the other.
    for (const invoiceId of ['in_a', 'in_b']) {
      await world.submit(failedEvent({ invoiceId, outcome, methods: ['pm_other'] }));
    }
    await world.settle();
    const fees = await world.rows(
      'select charge_ref, rule, kind, network, amount_micros, currency from network_fees order by 1',
    );
    const fee = { rule: 'visa.category_1', kind: 'expected', network: 'visa' };
    const amount = { amount_micros: 100_000, currency: 'USD' };
    expect(fees).toEqual([
      { charge_ref: 'in_1/ch_failed_in_1_1', ...fee, ...amount },
      { charge_ref: 'in_2/ch_failed_in_2_1', ...fee, ...amount },
    ]);
  });
});
