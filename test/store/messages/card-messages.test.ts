import { describe, expect, it } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import {
  noteCustomerOutcome,
  noteCustomerVisit,
  showCustomerLink,
} from '../../../src/recovery/customers/customer-links.ts';
import { measureCardMessages } from '../../../src/recovery/messages/measure-card-messages.ts';
import type { CustomerMail, MailOutcome } from '../../../src/recovery/messages/message-ports.ts';
import { noteBounce } from '../../../src/recovery/messages/stop-messages.ts';
import { tellExpiringCards } from '../../../src/store/card-notices/tell-expiring-cards.ts';
import { createCustomerLinkStore } from '../../../src/store/customers/customer-contacts.ts';
import { eraseAddress } from '../../../src/store/messages/customer-addresses.ts';
import { listMessages } from '../../../src/store/messages/list-messages.ts';
import { countMessages, sumCardArms } from '../../../src/store/messages/message-arms.ts';
import { createStopStore } from '../../../src/store/messages/suppressions.ts';
import { failedEvent, paidEvent } from '../../kits/billing-events.ts';
import { random, tokens, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { type MessageWorld, messageWorld, readMail } from '../../kits/message-world.ts';

const engineWorld = useEngineWorld();
const at = (text: string): Date => new Date(`${text}T12:00:00.000Z`);
/** Months after the world's begin: its cards end in April, and are billed on the 20th. */
const told = at('2026-04-10');

const rowsOf = ({ world }: MessageWorld) =>
  world.rows(
    `select arm, is_reachable, held_by, end_reason, state, tries, language
     from card_messages order by payment_method_id`,
  );

function billed(
  of: string,
  event: typeof paidEvent | typeof failedEvent,
  on: string,
): PaymentEventBody {
  const made = event({
    invoiceId: `in_${of}_${on}`,
    methods: [event === paidEvent ? 'pm_sandbox_success' : 'pm_sandbox_decline_51'],
    at: at(on),
    customerId: `cus_${of}`,
  });
  return {
    ...made,
    customer: { ...made.customer, email: `${of}@customers.example`, language: 'de' },
    subscription: {
      ...made.subscription,
      id: event === paidEvent ? `sub_${of}` : `sub_2_${of}`,
      billing: { period: 'month' },
    },
    transactions: made.transactions.map((each) => ({
      ...each,
      payment_method_id: event === paidEvent ? `pm_${of}` : each.payment_method_id,
      expiration_year: '2026',
      expiration_month: '04',
    })),
  };
}

/** Customers whose cards end in this month, before they are billed again. */
async function expiring(of: MessageWorld, ...names: readonly string[]): Promise<void> {
  const { world } = of;
  world.clock.set(at('2026-04-05'));
  for (const name of names) await world.submit(billed(name, paidEvent, '2026-04-05'));
  await world.settle();
  world.clock.set(told);
  await tellExpiringCards({ db: world.db, random }, { at: told, limit: 100 });
  await of.warn();
}

/** Hours later what is due is sent. */
async function wait(of: MessageWorld, hours: number): Promise<number> {
  of.world.clock.set(addMs(of.world.clock.now(), hours * hourMs));
  return await of.warn();
}

function answers(...given: readonly MailOutcome[]) {
  const mails: CustomerMail[] = [];
  return {
    mails,
    send: async (mail: CustomerMail): Promise<MailOutcome> => {
      mails.push(mail);
      return given[mails.length - 1] ?? { kind: 'sent' };
    },
  };
}

function linksOf({ world }: MessageWorld) {
  const updates: object[] = [];
  return {
    updates,
    deps: {
      clock: world.clock,
      tokens,
      store: createCustomerLinkStore(world.db),
      acceptUpdate: async (input: object) => void updates.push(input),
    },
  };
}

const tokenIn = (text: string) => /\/pay\/(\S+)/.exec(text)?.[1] ?? '';

describe('a customer whose card expires before it is charged again', () => {
  it('is written to once, in their language, with a link and one-click stop', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    expect(of.inbox.mails).toEqual([]);
    expect(await wait(of, 1)).toBe(1);
    for (let day = 0; day < 8; day += 1) await wait(of, 24);
    expect(of.inbox.mails.map(({ to }) => to)).toEqual([['ann@customers.example']]);
    const { headers, text } = readMail(of.inbox.mails[0]?.source ?? '');
    expect(headers.find((line) => line.startsWith('Subject:'))).toMatch(/Ihre_Karte_bei_/);
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(text).toContain('läuft Ende dieses Monats ab');
    expect(text).toContain('bis 5. Mai');
    expect(await rowsOf(of)).toMatchObject([
      { arm: 'messages', state: 'sent', tries: 1, end_reason: 'enough', language: 'de' },
    ]);
    const { merchantId, db } = of.world;
    const { items } = await listMessages(db, { merchantId, limit: 10 });
    expect(items).toMatchObject([
      { paymentMethodId: 'pm_ann', reason: 'card_expiring', number: 1, state: 'sent' },
    ]);
    expect(items[0]).not.toHaveProperty('invoiceId');
    expect(await countMessages(db, { merchantId })).toEqual({ sent: 1, bounced: 0, stopped: 0 });
  });

  it('is not written to beside a payment that is being recovered', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    await of.world.submit(billed('ann', failedEvent, '2026-04-10'));
    await of.world.settle();
    await wait(of, 2);
    expect(of.inbox.mails).toEqual([]);
    expect(await rowsOf(of)).toMatchObject([{ held_by: 'attempt_due', state: null }]);
  });

  it('nor where one comes in between the look and the send', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    const { store } = of.cards;
    of.world.clock.set(addMs(told, hourMs));
    await of.warn({
      store: {
        ...store,
        async openAddress(card) {
          await of.world.submit(billed('ann', failedEvent, '2026-04-10'));
          await of.world.settle();
          return store.openAddress(card);
        },
      },
    });
    expect(of.inbox.mails).toEqual([]);
    expect(await rowsOf(of)).toMatchObject([{ held_by: 'attempt_due', state: null, tries: 0 }]);
  });

  it('is not told that it expires this month once that month is over', async () => {
    const of = await messageWorld(engineWorld);
    const { world } = of;
    world.clock.set(at('2026-04-05'));
    const yearly = billed('ann', paidEvent, '2026-04-05');
    const subscription = { ...yearly.subscription, billing: { period: 'year' } as const };
    await world.submit({ ...yearly, subscription });
    await world.settle();
    // As where messages are switched on, or the mail server is back, months later.
    world.clock.set(at('2026-06-10'));
    await tellExpiringCards({ db: world.db, random }, { at: at('2026-06-10'), limit: 100 });
    await of.warn();
    expect(await wait(of, 1)).toBe(0);
    expect(of.inbox.mails).toEqual([]);
    expect(await rowsOf(of)).toMatchObject([{ end_reason: 'notice_ended', state: null }]);
  });

  it('is not written to once another card came', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    await of.world.submitUpdate({ customer_id: 'cus_ann', payment_method_id: 'pm_2' });
    await of.world.settle();
    await wait(of, 2);
    expect(of.inbox.mails).toEqual([]);
    expect(await rowsOf(of)).toMatchObject([{ end_reason: 'notice_ended', state: null }]);
  });

  it('is not written to after they stopped messages, and stops them by this one too', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann', 'bob');
    await wait(of, 1);
    const [first] = of.inbox.mails;
    const { text } = readMail(first?.source ?? '');
    const token = /\/unsubscribe\/(\S+)/.exec(text)?.[1] ?? '';
    expect(await of.stop(token)).toBe(true);
    expect(await of.world.rows('select reason from message_suppressions')).toEqual([
      { reason: 'stopped' },
    ]);
  });

  it('whose address came back is suppressed', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    await wait(of, 1);
    const { merchantId, db, clock } = of.world;
    const [{ message_id: id } = {}] = await of.world.rows('select message_id from card_messages');
    const deps = { store: createStopStore(db), clock };
    expect(await noteBounce(deps, { merchantId, of: String(id), kind: 'bounced' })).toBe(true);
    expect(await rowsOf(of)).toMatchObject([{ state: 'bounced' }]);
    expect(await countMessages(db, { merchantId })).toEqual({ sent: 1, bounced: 1, stopped: 0 });
  });

  it('is tried again where the server takes nothing, and once more where nobody knows', async () => {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    of.world.clock.set(addMs(told, hourMs));
    const later = answers({ kind: 'later', detail: '451' }, { kind: 'unclear', detail: 'cut' });
    await of.warn(later);
    expect(await rowsOf(of)).toMatchObject([{ state: 'sending', tries: 1 }]);
    for (let step = 0; step < 4; step += 1) {
      of.world.clock.set(addMs(of.world.clock.now(), 12 * hourMs));
      await of.warn(later);
    }
    expect(later.mails.length).toBe(3);
    expect(new Set(later.mails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await rowsOf(of)).toMatchObject([{ state: 'sent', tries: 3 }]);
  });

  it('is held out by their share, and never due then', async () => {
    const of = await messageWorld(engineWorld, { holdoutShare: 0.5 });
    const names = [...Array(12).keys()].map((each) => `c${each}`);
    await expiring(of, ...names);
    for (let step = 0; step < 4; step += 1) await wait(of, 3);
    const rows = await rowsOf(of);
    const heldOut = rows.filter(({ arm }) => arm === 'holdout').length;
    expect(heldOut).toBeGreaterThan(0);
    expect(of.inbox.mails.length).toBe(12 - heldOut);
    await of.world.submitUpdate({ customer_id: 'cus_c0', payment_method_id: 'pm_2' });
    await of.world.settle();
    const { merchantId, db } = of.world;
    const report = measureCardMessages(await sumCardArms(db, { merchantId }));
    expect([report?.messages.cards, report?.holdout.cards]).toEqual([12 - heldOut, heldOut]);
    expect((report?.messages.kept ?? 0) + (report?.holdout.kept ?? 0)).toBe(1);
    expect(report?.verdict?.result).toBe('too_few');
    await expectSound(of.world);
  });

  it('without an address is no part of it, and one that is erased is written to no more', async () => {
    const of = await messageWorld(engineWorld);
    const { world } = of;
    world.clock.set(at('2026-04-05'));
    const event = billed('ann', paidEvent, '2026-04-05');
    const { email: _, ...nobody } = event.customer;
    await world.submit({ ...event, customer: nobody });
    await expiring(of, 'bob');
    const { db, merchantId } = world;
    await eraseAddress(db, { merchantId, customerId: 'cus_bob' });
    await wait(of, 1);
    expect(of.inbox.mails).toEqual([]);
    expect(await rowsOf(of)).toMatchObject([
      { is_reachable: false, end_reason: 'no_address' },
      { is_reachable: true, end_reason: 'no_address' },
    ]);
  });

  it('is not written down for who is erased in that moment, and forgets an address that was replaced', async () => {
    const of = await messageWorld(engineWorld);
    const { world } = of;
    const { db, merchantId } = world;
    await expiring(of, 'ann', 'bob');
    const erase = (name: string) => eraseAddress(db, { merchantId, customerId: `cus_${name}` });
    const { store } = of.cards;
    // The address was opened already when its customer is erased.
    const openAddress: typeof store.openAddress = async (card) => {
      const address = await store.openAddress(card);
      if (card.customerId === 'cus_bob') await erase('bob');
      return address;
    };
    world.clock.passMs(24 * hourMs);
    await of.warn({ store: { ...store, openAddress } });
    expect(of.inbox.mails.map(({ to }) => to)).toEqual([['ann@customers.example']]);
    await world.rows('update customer_addresses set address_hash = $1', ['f'.repeat(64)]);
    await erase('ann');
    expect(await world.rows('select address_hash from card_messages')).toEqual([
      { address_hash: null },
      { address_hash: null },
    ]);
  });
});

describe('the link of such a message', () => {
  async function sent() {
    const of = await messageWorld(engineWorld);
    await expiring(of, 'ann');
    await wait(of, 1);
    const token = tokenIn(readMail(of.inbox.mails[0]?.source ?? '').text);
    return { of, token, ...linksOf(of), merchantId: of.world.merchantId };
  }

  it('names the card to its merchant alone, until it is charged again', async () => {
    const { of, token, deps, merchantId } = await sent();
    expect(await showCustomerLink(deps, { merchantId, token })).toMatchObject({
      kind: 'card',
      card: {
        customerId: 'cus_ann',
        subscriptionId: 'sub_ann',
        paymentMethodId: 'pm_ann',
        isEnded: false,
      },
    });
    expect(await showCustomerLink(deps, { merchantId: 'mer_2', token })).toEqual({
      kind: 'foreign',
    });
    of.world.clock.set(at('2026-05-06'));
    expect(await showCustomerLink(deps, { merchantId, token })).toMatchObject({ kind: 'ended' });
  });

  it('keeps the visit and the refusal, and passes a new card on as an update', async () => {
    const { of, token, deps, updates, merchantId } = await sent();
    const uuid = '00000000-0000-4000-8000-000000000001';
    const with_ = { merchantId, token, uuid };
    expect(await noteCustomerVisit(deps, with_)).toMatchObject({ kind: 'card' });
    const kept = { kind: 'card_kept' };
    expect(await noteCustomerOutcome(deps, { ...with_, outcome: 'authenticated' })).toMatchObject(
      kept,
    );
    expect(updates).toEqual([]);
    expect(await noteCustomerOutcome(deps, { ...with_, outcome: 'refused' })).toMatchObject(kept);
    expect(await of.world.rows('select visited_at, has_refused from card_messages')).toEqual([
      { visited_at: of.world.clock.now(), has_refused: true },
    ]);
    await noteCustomerOutcome(deps, {
      ...with_,
      outcome: 'payment_method_added',
      paymentMethodId: 'pm_2',
    });
    expect(updates).toEqual([
      {
        merchantId,
        uuid,
        body: { customer_id: 'cus_ann', payment_method_id: 'pm_2', reason: 'user_added' },
      },
    ]);
  });
});

/** A year's bill to a card that ends in December, before the next one in April. */
function billedForYear(of: string): PaymentEventBody {
  const event = billed(of, paidEvent, '2026-04-05');
  return {
    ...event,
    subscription: { ...event.subscription, billing: { period: 'year' } },
    transactions: event.transactions.map((each) => ({ ...each, expiration_month: '12' })),
  };
}

it('who pays by the year is written to months later, and the address goes with the card', async () => {
  const of = await messageWorld(engineWorld);
  const { world } = of;
  world.clock.set(at('2026-04-05'));
  for (const name of ['ann', 'bob']) await world.submit(billedForYear(name));
  await world.settle();
  const addressed = () => world.rows('select customer_id from customer_addresses order by 1');

  world.clock.set(at('2026-08-01'));
  await of.send();
  expect(await addressed()).toEqual([{ customer_id: 'cus_ann' }, { customer_id: 'cus_bob' }]);

  await world.submitUpdate({ customer_id: 'cus_bob', payment_method_id: 'pm_2' });
  await world.settle();
  await of.send();
  expect(await addressed()).toEqual([{ customer_id: 'cus_ann' }]);

  const december = at('2026-12-02');
  world.clock.set(december);
  await of.send();
  await tellExpiringCards({ db: world.db, random }, { at: december, limit: 100 });
  await of.warn();
  await wait(of, 1);
  expect(of.inbox.mails.map(({ to }) => to)).toEqual([['ann@customers.example']]);

  // The renewal is past, whatever became of it.
  await world.rows('update card_notices set resolved_at = $1, resolved_by = $2', [
    at('2027-04-05'),
    'recovered',
  ]);
  world.clock.set(at('2027-04-08'));
  await of.send();
  expect(await addressed()).toEqual([]);
});

it('notices are made for merchants that have customers written to, and tell nobody who asked for no events', async () => {
  const of = await messageWorld(engineWorld);
  await expiring(of, 'ann');
  expect(await of.world.rows('select resolved_at from card_notices')).toEqual([
    { resolved_at: null },
  ]);
  expect(await of.world.rows(`select type from events where type like 'customer%'`)).toEqual([]);
});
