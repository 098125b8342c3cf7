import { expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type { MailOutcome } from '../../../src/recovery/messages/message-ports.ts';
import { countUndecided, readAlerts } from '../../../src/store/reports/overview/read-alerts.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { type MessageWorld, mailerTo, messageWorld } from '../../kits/message-world.ts';

const engineWorld = useEngineWorld();
const expired = 'pm_sandbox_decline_54';
const busy: MailOutcome = { kind: 'later', detail: 'The mail server answered 451 to RCPT TO.' };

async function failing({ world }: MessageWorld) {
  const { db, clock, merchantId } = world;
  const alerts = await readAlerts(db, { merchantIds: [merchantId], now: clock.now() });
  const { messagesFailing } = await countUndecided(db, clock.now());
  const found = alerts.find(({ kind }) => kind === 'messages_failing');
  expect(messagesFailing).toBe(found?.count ?? 0);
  return found;
}

/** Customers who wait, at an hour when messages go out. */
async function waiting(...invoices: readonly string[]): Promise<MessageWorld> {
  const of = await messageWorld(engineWorld);
  for (const invoice of invoices) await of.report(invoice, expired);
  // Tried once more after a day.
  await of.world.runUntil(addMs(worldStart, dayMs));
  await of.send({ send: async () => busy });
  await of.world.runUntil(addMs(worldStart, dayMs + 2 * hourMs));
  return of;
}

async function later(of: MessageWorld, ms: number, send = async () => busy): Promise<void> {
  of.world.clock.set(addMs(of.world.clock.now(), ms));
  await of.send({ send });
}

it('messages that a mail server takes at none of two sends are told of, with its answer, until one is taken', async () => {
  const of = await waiting('in_1', 'in_2');
  await later(of, 0);
  expect(await failing(of)).toBeUndefined();
  const begun = of.world.clock.now();
  await later(of, 16 * minuteMs);
  expect(await failing(of)).toMatchObject({
    merchantId: of.world.merchantId,
    count: 2,
    at: begun,
    message: 'The mail server answered 451 to RCPT TO.',
  });
  await later(of, hourMs, async () => ({ kind: 'sent' }));
  expect(await failing(of)).toBeUndefined();
});

it('a mail server that is away is told of as one that refuses', async () => {
  const of = await waiting('in_1');
  await of.inbox.close();
  const send = mailerTo(of.inbox);
  await of.send({ send });
  of.world.clock.set(addMs(of.world.clock.now(), hourMs));
  await of.send({ send });
  expect(await failing(of)).toMatchObject({
    count: 1,
    message: expect.stringMatching(/^The mail server did not answer/),
  });
});

it('what was given up is told of for a day', async () => {
  const of = await waiting('in_1');
  const isGivenUp = async () =>
    (await of.world.rows(`select from customer_messages where state = 'given_up'`)).length > 0;
  for (let step = 0; step < 30 && !(await isGivenUp()); step += 1) await later(of, 4 * hourMs);
  expect(await isGivenUp()).toBe(true);
  expect(await failing(of)).toMatchObject({ count: 1 });
  of.world.clock.set(addMs(of.world.clock.now(), dayMs + 1));
  expect(await failing(of)).toBeUndefined();
});

it('one recipient who is refused, or a first send that failed, is no alert', async () => {
  const of = await waiting('in_1', 'in_2');
  await later(of, 0, async () => ({ kind: 'refused', detail: '550' }) as MailOutcome);
  expect(await failing(of)).toBeUndefined();
});
