import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { CustomerOutcome } from '../../../src/domain/customers/customer-contact.ts';
import {
  noteCustomerOutcome,
  noteCustomerVisit,
} from '../../../src/recovery/customers/customer-links.ts';
import { paymentTimeline } from '../../../src/recovery/reports/payment-timeline.ts';
import { createCustomerLinkStore } from '../../../src/store/customers/customer-contacts.ts';
import { readPaymentStory } from '../../../src/store/reports/payment-story.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, tokens, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();
const day = (days: number) => addMs(worldStart, days * dayMs);
const customerPageUrl = 'https://acme.example/pay/{token}';

/** A payment that waits for its customer since the first day, and the token that its event carries. */
async function waiting(method: string): Promise<{ world: EngineWorld; token: string }> {
  const world = await engineWorld({ customerActionEvents: true, customerPageUrl });
  await world.submit(failedEvent({ methods: [method] }));
  await world.runUntil(day(2));
  const told = (await world.events()).find(({ type }) => type === 'customer_action_required');
  const url = String(told?.body.customer_page_url);
  expect(url).toMatch(/^https:\/\/acme\.example\/pay\/[\w-]+\.[\w-]+$/);
  return { world, token: url.replace('https://acme.example/pay/', '') };
}

function linksOf(world: EngineWorld) {
  const { db, clock, merchantId } = world;
  const deps = {
    clock,
    tokens,
    store: createCustomerLinkStore(db),
    acceptUpdate: ({ body }: { readonly body: Parameters<EngineWorld['submitUpdate']>[0] }) =>
      world.submitUpdate(body),
  };
  return {
    visit: (token: string, uuid: string = randomUUID()) =>
      noteCustomerVisit(deps, { merchantId, token, uuid }),
    outcome: (token: string, outcome: CustomerOutcome, paymentMethodId?: string) =>
      noteCustomerOutcome(deps, {
        merchantId,
        token,
        outcome,
        uuid: randomUUID(),
        ...(paymentMethodId !== undefined && { paymentMethodId }),
      }),
  };
}

describe('the link of a payment that waits for its customer', () => {
  it('brings a visit and a new card into the timeline, and the next try at once', async () => {
    const { world, token } = await waiting('pm_sandbox_decline_54');
    const links = linksOf(world);
    const visit = randomUUID();
    expect(await links.visit(token, visit)).toMatchObject({
      kind: 'payment',
      payment: { invoiceId: 'in_1', paymentMethodId: 'pm_sandbox_decline_54', amountMinor: 1223 },
    });
    await links.visit(token, visit);
    world.clock.passMs(60_000);
    const at = world.clock.now();
    const done = await links.outcome(token, 'payment_method_added', 'pm_sandbox_success');
    expect(done.kind).toBe('payment');
    await world.settle();
    const payment = await world.payment();
    expect(payment.status).toBe('recovered');
    expect(payment.attempts.at(-1)?.startedAt).toEqual(at);
    expect(payment.customerContacts).toEqual([
      { kind: 'visited', at: day(2) },
      { kind: 'outcome', outcome: 'payment_method_added', at },
    ]);
    const story = await readPaymentStory(world.db, { ...world, invoiceId: 'in_1' });
    if (story === undefined) throw new Error('no story');
    const entries = paymentTimeline(payment, story).entries.filter((e) => e.kind === 'customer');
    expect(entries.map(({ actor, message }) => [actor, message])).toEqual([
      ['customer', "the customer opened the merchant's page"],
      ['customer', 'the customer added a payment method'],
    ]);
    await expectSound(world);
  });

  it.each<CustomerOutcome>(['payment_method_updated', 'authenticated', 'issuer_contacted'])(
    'tries the declined method again at once after %s',
    async (outcome) => {
      const { world, token } = await waiting('pm_sandbox_decline_1A');
      const before = (await world.payment()).attempts.length;
      const at = world.clock.now();
      await linksOf(world).outcome(token, outcome);
      await world.settle();
      const { attempts } = await world.payment();
      expect(attempts.length).toBe(before + 1);
      expect(attempts.at(-1)?.startedAt).toEqual(at);
      await expectSound(world);
    },
  );

  it('keeps a refusal, and changes nothing', async () => {
    const { world, token } = await waiting('pm_sandbox_decline_54');
    expect((await linksOf(world).outcome(token, 'refused')).kind).toBe('kept');
    await world.settle();
    const payment = await world.payment();
    expect([payment.waitingFor, payment.customerContacts?.length]).toEqual(['customer', 1]);
  });

  it('asks for the method that was added, and names nothing once it is forged or its window is over', async () => {
    const { world, token } = await waiting('pm_sandbox_decline_54');
    const links = linksOf(world);
    expect(await links.outcome(token, 'payment_method_added')).toEqual({ kind: 'method_missing' });
    expect(await links.visit(`${token}x`)).toEqual({ kind: 'bad' });
    await world.runUntil(day(29));
    expect((await links.visit(token)).kind).toBe('ended');
    expect((await world.payment()).customerContacts).toBeUndefined();
  });

  it('keeps no more than two hundred visits', async () => {
    const { world, token } = await waiting('pm_sandbox_decline_54');
    const links = linksOf(world);
    for (let visit = 0; visit < 203; visit += 1) await links.visit(token);
    expect((await world.payment()).customerContacts?.length).toBe(200);
  });
});

it('is signed for no merchant without a page', async () => {
  const world = await engineWorld({ customerActionEvents: true });
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_54'] }));
  await world.runUntil(day(2));
  const told = (await world.events()).find(({ type }) => type === 'customer_action_required');
  expect(told?.body).not.toHaveProperty('customer_page_url');
});
