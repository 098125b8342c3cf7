import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type { CustomerMail, MailOutcome } from '../../../src/recovery/messages/message-ports.ts';
import { noteBounce } from '../../../src/recovery/messages/stop-messages.ts';
import { eraseAddress } from '../../../src/store/messages/customer-addresses.ts';
import { createStopStore } from '../../../src/store/messages/suppressions.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { type MessageWorld, messageWorld, readMail } from '../../kits/message-world.ts';

const engineWorld = useEngineWorld();
const day = (days: number) => addMs(worldStart, days * dayMs);
const expired = 'pm_sandbox_decline_54';

const threadsOf = ({ world }: MessageWorld) =>
  world.rows(
    'select arm, is_reachable, sent, held_by, end_reason, next_look_at from message_threads order by invoice_id',
  );
const messagesOf = ({ world }: MessageWorld) =>
  world.rows(
    'select number, state, tries, reason, language from customer_messages order by number',
  );

/** What each send says, one after another; then it is taken. */
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

describe('a customer whose payment waits for them', () => {
  it('is written to, in their language, with the link and one-click stop, and no more than is set', async () => {
    const of = await messageWorld(engineWorld, { maxMessages: 2 });
    await of.report('in_1', expired, { language: 'de', time_zone: 'Europe/Berlin' });
    await of.runUntil(day(20));
    expect(of.inbox.mails.map(({ to }) => to)).toEqual([
      ['in_1@customers.example'],
      ['in_1@customers.example'],
    ]);
    const [{ from, source } = { from: '', source: '' }] = of.inbox.mails;
    const { headers, text } = readMail(source);
    const [id] = /cmg_[0-9a-z]{24}/.exec(from) ?? [];
    expect(from).toBe(`bounces+${id}@recoup.example`);
    expect(headers).toEqual(
      expect.arrayContaining([
        'From: Acme <billing@acme.example>',
        'Reply-To: help@acme.example',
        'To: in_1@customers.example',
        `Message-ID: <${id}@recoup>`,
        `X-Recoup-Message: ${id}`,
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        expect.stringMatching(
          /^List-Unsubscribe: <https:\/\/api\.recoup\.example\/unsubscribe\/\S+>$/,
        ),
      ]),
    );
    expect(text).toContain('Die Karte ist abgelaufen.');
    expect(text).toContain('12,23\u00a0$');
    expect(text).toMatch(/https:\/\/acme\.example\/pay\/[\w-]+\.[\w-]+/);
    expect(text).toContain('Keine weiteren Nachrichten dieser Art:');
    const contacts = (await of.world.payment()).customerContacts ?? [];
    expect(contacts.map(({ kind }) => kind)).toEqual(['message_sent', 'message_sent']);
    const [one, two] = contacts.map(({ at }) => at.getTime());
    expect(((two ?? 0) - (one ?? 0)) / hourMs).toBeGreaterThanOrEqual(72);
    expect(await threadsOf(of)).toMatchObject([{ sent: 2, end_reason: 'enough' }]);
    expect(await messagesOf(of)).toMatchObject([
      { number: 1, state: 'sent', tries: 1, reason: 'expired_card', language: 'de' },
      { number: 2, state: 'sent' },
    ]);
  });

  it('is not written to at night in their own zone', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired, { time_zone: 'Asia/Tokyo' });
    await of.runUntil(day(3));
    const [sent] = (await of.world.payment()).customerContacts ?? [];
    // 12:00 in UTC, when the wait begins, is 21:00 there; quiet hours end at 9:00.
    expect(sent?.at.toISOString()).toBe('2026-03-03T00:00:00.000Z');
  });

  it('whose new card is tried gets no further message', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.runUntil(day(2));
    expect(of.inbox.mails.length).toBe(1);
    await of.world.submitUpdate({
      customer_id: 'cus_of_in_1',
      payment_method_id: 'pm_sandbox_success',
    });
    await of.runUntil(day(12));
    expect((await of.world.payment()).status).toBe('recovered');
    expect(of.inbox.mails.length).toBe(1);
    expect(await threadsOf(of)).toMatchObject([{ end_reason: 'payment_ended' }]);
    await expectSound(of.world);
  });

  it('is not written to while a retry that was asked for is planned', async () => {
    const of = await messageWorld(engineWorld, { firstAfterHours: 24 });
    await of.report('in_1', expired);
    await of.runUntil(day(1));
    // As somebody asks for a retry just before the message is due.
    await of.world.rows(
      "update payments set due_action = 'attempt', next_attempt_at = $1, revision = revision + 1",
      [day(3)],
    );
    of.world.clock.set(addMs(day(2), hourMs));
    await of.send();
    expect(of.inbox.mails).toEqual([]);
    expect(await threadsOf(of)).toMatchObject([
      { held_by: 'attempt_due', next_look_at: addMs(day(3), 2 * hourMs) },
    ]);
  });

  it('is held out where their payment is of the holdout, and never where nobody knows an address', async () => {
    const of = await messageWorld(engineWorld, { holdoutShare: 0.5 });
    for (let at = 0; at < 8; at += 1) await of.report(`in_${at}`, `${expired}--${at}`);
    await of.world.submit(failedEvent({ invoiceId: 'in_9', methods: [`${expired}--9`] }));
    await of.runUntil(day(3));
    const threads = await threadsOf(of);
    const held = threads.filter(({ arm }) => arm === 'holdout').length;
    const told = threads.filter((each) => each.arm === 'messages' && each.is_reachable === true);
    expect(held).toBeGreaterThan(0);
    expect(of.inbox.mails.length).toBe(told.length);
    expect(threads.at(-1)).toMatchObject({ is_reachable: false, sent: 0 });
  });

  it('is not written to for a merchant that switched messages off', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.set({ isOn: false });
    await of.runUntil(day(3));
    expect([of.inbox.mails, await threadsOf(of)]).toEqual([[], []]);
  });
});

describe('an address', () => {
  it('is kept sealed, and in no report, log or message row', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    const dump = async () => {
      const tables = await of.world.rows<{ name: string }>(
        'select tablename as name from pg_tables where schemaname = current_schema()',
      );
      const rows = await Promise.all(
        tables.map(({ name }) => of.world.rows(`select t::text from "${name}" t`)),
      );
      return JSON.stringify(rows);
    };
    expect(await dump()).not.toContain('customers.example');
    await of.runUntil(day(2));
    expect(of.inbox.mails.length).toBe(1);
    expect(await dump()).not.toContain('customers.example');
    expect(of.world.log.join()).not.toContain('customers.example');
  });

  it('is gone when its customer is erased, and nothing more is sent', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.runUntil(day(2));
    await eraseAddress(of.world.db, { ...of.world, customerId: 'cus_of_in_1' });
    await of.runUntil(day(12));
    expect(of.inbox.mails.length).toBe(1);
    expect(await threadsOf(of)).toMatchObject([{ end_reason: 'no_address' }]);
    expect(await of.world.rows('select address_hash from customer_messages')).toEqual([
      { address_hash: null },
    ]);
  });

  it('that was replaced or forgotten goes with its customer too', async () => {
    const of = await messageWorld(engineWorld, { maxMessages: 2 });
    await of.report('in_1', expired, { email: 'before@customers.example' });
    await of.runUntil(day(2));
    await of.report('in_2', `${expired}--2`, {
      id: 'cus_of_in_1',
      email: 'after@customers.example',
    });
    await of.world.rows("update payments set customer_id = 'cus_of_in_1'");
    await of.runUntil(day(12));
    const hashes = () =>
      of.world.rows('select distinct address_hash from customer_messages order by 1');
    expect((await hashes()).length).toBe(2);
    await eraseAddress(of.world.db, { ...of.world, customerId: 'cus_of_in_1' });
    expect(await hashes()).toEqual([{ address_hash: null }]);
  });

  it('that is erased while a message to it is written down is not written to', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.world.runUntil(day(2));
    const erase = () => eraseAddress(of.world.db, { ...of.world, customerId: 'cus_of_in_1' });
    const { store } = of.deps;
    // The address was opened already when its customer is erased.
    const openAddress: typeof store.openAddress = async (thread) => {
      const address = await store.openAddress(thread);
      await erase();
      return address;
    };
    await of.send();
    of.world.clock.passMs(2 * hourMs);
    await of.send({ store: { ...store, openAddress } });
    expect(of.inbox.mails).toEqual([]);
    expect(await messagesOf(of)).toEqual([]);
    of.world.clock.passMs(dayMs);
    await of.send();
    expect(await threadsOf(of)).toMatchObject([{ end_reason: 'no_address' }]);
  });

  it('is forgotten ninety days after the last report, once nothing of its customer is open', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.runUntil(day(29));
    of.world.clock.set(day(91));
    await of.send();
    expect(await of.world.rows('select 1 from customer_addresses')).toEqual([]);
  });
});

describe('a message', () => {
  it('that the server refuses for its recipient is the last one to this address', async () => {
    const of = await messageWorld(engineWorld);
    of.inbox.refuse('in_1@customers.example');
    await of.report('in_1', expired);
    await of.runUntil(day(12));
    expect(of.inbox.mails).toEqual([]);
    expect(await messagesOf(of)).toMatchObject([{ state: 'refused', tries: 1 }]);
    expect(await of.world.rows('select address_hash, reason from message_suppressions')).toEqual([
      {
        address_hash: of.hashOf(of.world.merchantId, 'IN_1@customers.example '),
        reason: 'bounced',
      },
    ]);
    const [contact] = (await of.world.payment()).customerContacts ?? [];
    expect(contact?.kind).toBe('message_bounced');
  });

  it('that the server does not take now is sent later, under the same id', async () => {
    const of = await messageWorld(engineWorld);
    const { mails, send } = answers(
      { kind: 'later', detail: 'busy' },
      { kind: 'later', detail: 'busy' },
    );
    await of.report('in_1', expired);
    await of.world.runUntil(addMs(day(1), 2 * hourMs));
    of.world.clock.set(day(2));
    for (let look = 0; look < 8; look += 1) {
      await of.send({ send });
      of.world.clock.passMs(20 * minuteMs);
    }
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await messagesOf(of)).toMatchObject([{ state: 'sent', tries: 3 }]);
  });

  it('whose sender dies is sent once more, and no third time', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.world.runUntil(day(2));
    await of.send();
    of.world.clock.passMs(hourMs);
    const mails: CustomerMail[] = [];
    // Each process is killed as the server takes the message: nobody records that it did.
    const dies = {
      send: async (mail: CustomerMail): Promise<MailOutcome> => {
        mails.push(mail);
        throw new Error('killed');
      },
    };
    for (let life = 0; life < 5; life += 1) {
      await of.send(dies).catch(() => undefined);
      of.world.clock.passMs(hourMs);
    }
    expect(mails.length).toBe(2);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await messagesOf(of)).toMatchObject([{ number: 1, state: 'given_up', tries: 2 }]);
  });

  it('whose answer was lost is not sent again once the payment is paid', async () => {
    const of = await messageWorld(engineWorld);
    const { mails, send } = answers({ kind: 'unclear', detail: 'the connection broke' });
    await of.report('in_1', expired);
    await of.world.runUntil(day(2));
    await of.send({ send });
    of.world.clock.passMs(2 * hourMs);
    await of.send({ send });
    await of.world.submitUpdate({
      customer_id: 'cus_of_in_1',
      payment_method_id: 'pm_sandbox_success',
    });
    await of.world.settle();
    of.world.clock.passMs(dayMs);
    await of.send({ send });
    expect(mails.length).toBe(1);
    expect(await messagesOf(of)).toMatchObject([{ state: 'given_up' }]);
  });

  it('is sent by one of two processes that look at the same time', async () => {
    const of = await messageWorld(engineWorld);
    for (let at = 0; at < 6; at += 1) await of.report(`in_${at}`, `${expired}--${at}`);
    await of.world.runUntil(day(2));
    await of.send();
    of.world.clock.passMs(2 * hourMs);
    await Promise.all([of.send(), of.send(), of.send()]);
    expect(of.inbox.mails.length).toBe(6);
  });
});

describe('a customer who wants no more', () => {
  it('gets none about any payment of this merchant, and the word is kept once', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.runUntil(day(2));
    const { headers } = readMail(of.inbox.mails[0]?.source ?? '');
    const link = headers.find((line) => line.startsWith('List-Unsubscribe: ')) ?? '';
    const token = /unsubscribe\/([^>]+)>/.exec(link)?.[1] ?? '';
    expect(await of.stop(`${token}x`)).toBe(false);
    expect([await of.stop(token), await of.stop(token)]).toEqual([true, true]);
    await of.report('in_2', `${expired}--2`, { email: 'in_1@customers.example' });
    await of.runUntil(day(20));
    expect(of.inbox.mails.length).toBe(1);
    const contacts = (await of.world.payment()).customerContacts ?? [];
    expect(contacts.map(({ kind }) => kind)).toEqual(['message_sent', 'stopped']);
  });

  it('or whose message came back later, named by its id or the address it came back to', async () => {
    const of = await messageWorld(engineWorld);
    await of.report('in_1', expired);
    await of.runUntil(day(2));
    const deps = { store: createStopStore(of.world.db), clock: of.world.clock };
    const { merchantId } = of.world;
    const back = of.inbox.mails[0]?.from.toUpperCase() ?? '';
    const kind = 'bounced';
    expect(await noteBounce(deps, { merchantId: 'mer_other', of: back, kind })).toBe(false);
    expect(await noteBounce(deps, { merchantId, of: 'x', kind })).toBe(false);
    expect(await noteBounce(deps, { merchantId, of: back, kind, detail: '5.1.1' })).toBe(true);
    await of.runUntil(day(20));
    expect(of.inbox.mails.length).toBe(1);
    expect(await messagesOf(of)).toMatchObject([{ state: 'bounced' }]);
  });
});
