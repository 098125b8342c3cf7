import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { tellExpiringCards as tellingJob } from '../../../src/jobs/background/tell-expiring-cards.ts';
import { acceptPayment } from '../../../src/recovery/intake/ingest.ts';
import {
  endPassedNotices,
  tellExpiringCards,
} from '../../../src/store/card-notices/tell-expiring-cards.ts';
import { createCheckStore } from '../../../src/store/invariants/check-store.ts';
import { failedEvent, paidEvent } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();
const at = (text: string): Date => new Date(`${text}T12:00:00.000Z`);

interface Renewal {
  readonly on: string;
  /** As `2026-04`; absent: the report has none. */
  readonly ends?: string;
  readonly method?: string;
  readonly subscription?: string;
  readonly period?: 'week' | 'month' | 'year' | undefined;
  readonly failed?: boolean;
  readonly end_date?: string;
}

let invoices = 0;

function renewal(input: Renewal): PaymentEventBody {
  const { on, ends, method = 'pm_sandbox_success', subscription = 'sub_1', failed } = input;
  invoices += 1;
  const period = 'period' in input ? input.period : 'month';
  const options = { invoiceId: `in_${invoices}`, methods: [method], at: at(on) };
  const event = (failed === true ? failedEvent : paidEvent)({
    ...options,
    customerId: `cus_of_${subscription}`,
    pspCustomerId: `psp_cus_of_${subscription}`,
  });
  const [year, month] = ends?.split('-') ?? [];
  return {
    ...event,
    subscription: {
      ...event.subscription,
      id: subscription,
      ...(period !== undefined && { billing: { period } }),
      ...(input.end_date !== undefined && { end_date: at(input.end_date).toISOString() }),
    },
    transactions: event.transactions.map((transaction) => ({
      ...transaction,
      ...(year !== undefined &&
        month !== undefined && { expiration_year: year, expiration_month: month }),
    })),
  };
}

async function report(world: EngineWorld, input: Renewal): Promise<void> {
  world.clock.set(at(input.on));
  await world.submit(renewal(input));
  await world.settle();
}

/** A day's run of the job. */
async function runJob(world: EngineWorld, on: string): Promise<void> {
  world.clock.set(at(on));
  const deps = { db: world.db, random };
  const job = tellingJob({
    // A page of one: each goes on where the one before it ended.
    tell: (input: Parameters<typeof tellExpiringCards>[1]) =>
      tellExpiringCards(deps, { ...input, limit: 1 }),
    endPassed: (input) => endPassedNotices(deps, { ...input, limit: 1 }),
  });
  await job.run({ at: world.clock.now(), signal: new AbortController().signal, progress() {} });
  await world.settle();
}

const told = async (world: EngineWorld) =>
  (await world.events())
    .filter(({ type }) => type.startsWith('customer_action'))
    .map(({ body }) => [body.subscription_id, body.resolved_by ?? body.reason]);

describe('a card that ends before its subscription is billed again', () => {
  it('is told of once in its last month, and resolved by another card', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-03-10', ends: '2026-04' });
    await runJob(world, '2026-03-31');
    expect(await world.events()).toEqual([]);
    await report(world, { on: '2026-04-10', ends: '2026-04' });
    await runJob(world, '2026-04-11');
    await runJob(world, '2026-04-12');
    const [event, ...others] = await world.events();
    expect(others).toEqual([]);
    expect(event).not.toHaveProperty('invoiceId');
    expect(event).toMatchObject({
      type: 'customer_action_required',
      body: {
        timestamp: at('2026-04-11').toISOString(),
        customer_id: 'cus_of_sub_1',
        subscription_id: 'sub_1',
        payment_method_id: 'pm_sandbox_success',
        card_expires: '2026-04',
        reason: 'card_expiring',
        what_helps: 'new_payment_method',
        since: at('2026-04-11').toISOString(),
        waits_until: at('2026-05-10').toISOString(),
      },
      delivery: { status: 'delivered' },
    });
    await report(world, { on: '2026-04-20', ends: '2029-04', method: 'pm_sandbox_new' });
    await runJob(world, '2026-04-21');
    const [, resolved, ...more] = await world.events();
    expect(more).toEqual([]);
    expect(resolved).toMatchObject({
      type: 'customer_action_resolved',
      body: {
        subscription_id: 'sub_1',
        payment_method_id: 'pm_sandbox_success',
        card_expires: '2026-04',
        reason: 'card_expiring',
        resolved_by: 'payment_method',
      },
    });
  });

  it.each([
    [{ customer_id: 'cus_of_sub_1' }, 'user_added', true],
    [{ psp_customer_id: 'psp_cus_of_sub_1' }, 'network_updated', true],
    [{ customer_id: 'cus_of_sub_1' }, 'user_removed', false],
    [{ customer_id: 'cus_other' }, 'user_added', false],
  ] as const)('by an update of %j, %s, is resolved: %s', async (customer, reason, resolves) => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ends: '2026-04' });
    await runJob(world, '2026-04-11');
    await world.submitUpdate({ ...customer, payment_method_id: 'pm_sandbox_other', reason });
    await world.settle();
    const [, ...after] = await told(world);
    expect(after).toEqual(resolves ? [['sub_1', 'payment_method']] : []);
  });

  it('is not told of once the customer has changed a method, until the next report', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ends: '2026-04' });
    const payment_method_id = 'pm_sandbox_other';
    await world.submitUpdate({ customer_id: 'cus_of_sub_1', payment_method_id });
    await world.settle();
    await runJob(world, '2026-04-11');
    expect(await told(world)).toEqual([]);
    await report(world, { on: '2026-04-15', ends: '2026-04' });
    await runJob(world, '2026-04-16');
    expect(await told(world)).toEqual([['sub_1', 'card_expiring']]);
  });

  it.each([
    ['succeeds', { on: '2026-05-10', ends: '2026-04' }, 'recovered'],
    ['fails', { on: '2026-05-10', ends: '2026-04', failed: true }, 'window_ended'],
    ['is reported without its month', { on: '2026-05-10' }, 'recovered'],
    ['has a later month', { on: '2026-05-10', ends: '2030-01', failed: true }, 'payment_method'],
  ] as const)('is resolved by a renewal that %s', async (_, next, by) => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ends: '2026-04' });
    await runJob(world, '2026-04-11');
    await report(world, next);
    expect(await told(world)).toContainEqual(['sub_1', by]);
    expect(await told(world)).toHaveLength(2);
  });

  it('stays open at another charge before its end, and ends when no renewal is reported', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ends: '2026-04', subscription: 'sub_a' });
    await report(world, {
      on: '2026-04-10',
      ends: '2026-04',
      subscription: 'sub_b',
      method: 'pm_b',
    });
    await runJob(world, '2026-04-11');
    await report(world, { on: '2026-04-12', ends: '2026-04', subscription: 'sub_a' });
    await runJob(world, '2026-05-11');
    expect(await told(world)).toHaveLength(2);
    await runJob(world, '2026-05-13');
    await runJob(world, '2026-05-14');
    expect((await told(world)).slice(2).sort()).toEqual([
      ['sub_a', 'window_ended'],
      ['sub_b', 'window_ended'],
    ]);
  });

  it.each([
    ['outlasts the renewal', { ends: '2026-05' }],
    ['belongs to a subscription that ends before', { ends: '2026-04', end_date: '2026-05-01' }],
    ['is billed nobody knows how often', { ends: '2026-04', period: undefined }],
    ['is billed each week, in the month’s second', { ends: '2026-04', period: 'week' }],
  ] as const)('is not told of where it %s', async (_, more) => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ...more });
    await runJob(world, '2026-04-12');
    expect(await told(world)).toEqual([]);
  });

  it('is told to merchants that ask for it alone, each of their cards once', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    const silent = await world.addMerchant();
    for (const subscription of ['sub_b', 'sub_a', 'sub_c']) {
      const method = subscription === 'sub_c' ? 'pm_other' : 'pm_same';
      await report(world, { on: '2026-04-10', ends: '2026-04', subscription, method });
    }
    const log = world.deps.requestLog;
    await acceptPayment(
      { ...world.deps, log },
      {
        merchantId: silent.merchantId,
        body: renewal({ on: '2026-04-10', ends: '2026-04', subscription: 'sub_d' }),
        uuid: randomUUID(),
      },
    );
    await world.settle();
    await runJob(world, '2026-04-11');
    expect(await told(world)).toEqual([
      ['sub_a', 'card_expiring'],
      ['sub_c', 'card_expiring'],
    ]);
    expect(await world.rows('select 1 from subscription_cards')).toHaveLength(4);
    expect(await world.rows('select 1 from card_notices')).toHaveLength(2);
  });

  it('is accounted for like every event, though it is of no invoice', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ends: '2026-04' });
    await runJob(world, '2026-04-11');
    world.clock.passMs(5 * dayMs);
    const checks = createCheckStore(world.db);
    const check = async () => {
      await checks.begin({ checkId: `chk_${world.clock.now().getTime()}`, at: world.clock.now() });
      while (!(await checks.step({ at: world.clock.now() })).ended);
      const items = (await checks.read()).lastCheck?.items ?? [];
      return items.filter(({ breaches }) => breaches > 0).map(({ name }) => name);
    };
    expect(await check()).toEqual([]);
    await world.rows('delete from delivery_tries');
    await world.rows('delete from deliveries');
    world.clock.passMs(1);
    expect(await check()).toContain('events_are_delivered_or_on_their_way');
  });

  it('is known by the latest report, in whichever order they come', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await report(world, { on: '2026-04-10', ends: '2029-01' });
    world.clock.set(addMs(at('2026-04-10'), dayMs));
    await world.submit(renewal({ on: '2026-03-10', ends: '2026-04' }));
    await world.settle();
    await runJob(world, '2026-04-12');
    expect(await told(world)).toEqual([]);
  });
});
