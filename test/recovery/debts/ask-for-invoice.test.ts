import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { FoundInvoice } from '../../../src/recovery/psp-ports.ts';
import { paidEvent, worldStart } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';
import type { Worker } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const end = addMs(worldStart, 30 * dayMs);

/** A worker whose PSP keeps invoices and says this of a failed charge; the last answer stays. */
function asking(world: EngineWorld, ...answers: readonly FoundInvoice[]) {
  const asked: string[] = [];
  const charged: (string | undefined)[] = [];
  const worker: Worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      capabilities: { ...gateway.capabilities, holdsInvoices: true },
      findInvoice: async ({ pspTransactionId }) => {
        asked.push(pspTransactionId);
        return answers[Math.min(asked.length, answers.length) - 1] ?? { kind: 'none' };
      },
      charge: async (request) => {
        charged.push(request.pspInvoiceId);
        return gateway.charge(request);
      },
    })),
  );
  return { worker, asked, charged };
}

const found: FoundInvoice = { kind: 'found', pspInvoiceId: 'in_1' };

describe('a failed charge that was reported without its invoice at the PSP', () => {
  it('is asked for there before the first charge, which then pays the invoice', async () => {
    const world = await engineWorld();
    const { worker, asked, charged } = asking(world, found);
    const methods = ['pm_sandbox_success_after_3'];
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1', methods }));
    await world.runUntil(end, worker);
    expect(asked).toEqual(['ch_1']);
    expect(charged).toEqual(['in_1', 'in_1', 'in_1']);
    expect(await world.payment('m1')).toMatchObject({
      status: 'recovered',
      pspInvoiceId: 'in_1',
      joinedInvoiceIds: ['in_1'],
    });
    await expectSound(world);
  });

  it('is asked for once where there is none', async () => {
    const world = await engineWorld();
    const { worker, asked, charged } = asking(world, { kind: 'none' });
    const methods = ['pm_sandbox_success_after_3'];
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1', methods }));
    await world.runUntil(end, worker);
    expect(asked).toEqual(['ch_1']);
    expect(charged).toEqual([undefined, undefined, undefined]);
  });

  it('is not charged while the PSP cannot say, and asked for again later', async () => {
    const world = await engineWorld();
    const unknown: FoundInvoice = { kind: 'unknown', reason: 'no answer' };
    const { worker, asked, charged } = asking(world, unknown, unknown, found);
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    world.clock.set(addMs(worldStart, dayMs));
    await world.runUntil(addMs(worldStart, dayMs), worker);
    expect({ asked: asked.length, lookups: world.server.lookups.length }).toEqual({
      asked: 1,
      lookups: 0,
    });
    await world.runUntil(end, worker);
    expect(charged).toEqual(['in_1']);
    expect(world.log.join('\n')).toContain('the PSP did not say whether the debt has an invoice');
    await expectSound(world);
  });

  it('ends without a charge where that invoice is known to be paid', async () => {
    const world = await engineWorld();
    await submitBy(world, 'psp', paidEvent({ invoiceId: 'in_1' }));
    const { worker, charged } = asking(world, found);
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    await world.runUntil(end, worker);
    expect(charged).toEqual([]);
    expect(await world.payment('m1')).toMatchObject({
      status: 'stopped',
      stopReason: 'recovered_elsewhere',
    });
    await expectSound(world);
  });

  it('ends so too where an update comes in the moment in which that is learned', async () => {
    const world = await engineWorld();
    await submitBy(world, 'psp', paidEvent({ invoiceId: 'in_1' }));
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    let comes = true;
    const worker = world.worker((deps) => ({
      ...changedGateways(deps, (gateway) => ({
        capabilities: { ...gateway.capabilities, holdsInvoices: true },
        findInvoice: async () => found,
      })),
      payments: {
        ...deps.payments,
        async load(key) {
          const payment = await deps.payments.load(key);
          if (!comes) return payment;
          comes = false;
          const customer_id = payment?.customerId ?? 'none';
          await world.submitUpdate({ customer_id, payment_method_id: 'pm_sandbox_success--new' });
          await world.apply(await world.claimRequests());
          return payment;
        },
      },
    }));
    await world.runUntil(end, worker);
    expect(comes).toBe(false);
    expect(await world.ledger()).toEqual([]);
    expect(await world.payment('m1')).toMatchObject({
      status: 'stopped',
      stopReason: 'recovered_elsewhere',
    });
    await expectSound(world);
  });

  it('is one with the recovery that has that invoice already', async () => {
    const world = await engineWorld();
    await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 're_1' }));
    world.clock.passMs(hourMs);
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    await world.settle();
    const { worker, charged } = asking(world, found);
    await world.runUntil(end, worker);
    expect(charged).toEqual(['in_1']);
    const own = `select invoice_id as id, state from payments where joined_to is null`;
    expect(await world.rows(own)).toMatchObject([{ state: 'recovered' }]);
    await expectSound(world);
  });
});

describe('a failed charge that the connected account does not know', () => {
  /** A worker of a merchant at its third account, whose earlier ones say this; one is gone where it says nothing. */
  function moved(world: EngineWorld, earlier: Readonly<Record<number, FoundInvoice>>) {
    const asked: number[] = [];
    const charged: (string | undefined)[] = [];
    const worker: Worker = world.worker((deps) => ({
      async findGateway({ version = 3, ...key }) {
        const gateway = await deps.findGateway(key);
        const says = version === 3 ? ({ kind: 'not_known' } as const) : earlier[version];
        if (gateway === undefined || says === undefined) return undefined;
        return {
          ...gateway,
          capabilities: { ...gateway.capabilities, holdsInvoices: true },
          connection: { version, mode: 'sandbox', isActive: version === 3 },
          findInvoice: async () => {
            asked.push(version);
            return says;
          },
          charge: async (request) => {
            charged.push(request.pspInvoiceId);
            return gateway.charge(request);
          },
        };
      },
    }));
    return { worker, asked, charged };
  }

  async function played(earlier: Readonly<Record<number, FoundInvoice>>) {
    const world = await engineWorld();
    const { worker, asked, charged } = moved(world, earlier);
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    await world.runUntil(end, worker);
    return { world, asked, charged };
  }

  it('is asked for at the accounts before, the last one first', async () => {
    const { asked, charged } = await played({ 2: { kind: 'not_known' }, 1: found });
    expect({ asked, charged }).toEqual({ asked: [3, 2, 1], charged: ['in_1'] });
  });

  it('is charged where none of them knows it', async () => {
    const { asked, charged } = await played({ 2: { kind: 'not_known' }, 1: { kind: 'not_known' } });
    expect({ asked, charged }).toEqual({ asked: [3, 2, 1], charged: [undefined] });
  });

  it('is charged where the one that knows it has no invoice of it', async () => {
    const { asked, charged } = await played({ 2: { kind: 'none' }, 1: found });
    expect({ asked, charged }).toEqual({ asked: [3, 2], charged: [undefined] });
  });

  it('waits for a person where one that may know it can no longer be asked', async () => {
    const { world, charged } = await played({ 2: { kind: 'not_known' } });
    expect(charged).toEqual([]);
    const [payment] = await world.rows('select set_aside_reason as why, state from payments');
    expect(payment).toEqual({ state: 'scheduled', why: '20 tries in a row reached no PSP' });
    expect(world.log.join('\n')).toContain('can no longer be asked');
  });
});
