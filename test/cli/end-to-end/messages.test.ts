import { createTransport } from 'nodemailer';
import { expect, it, onTestFinished } from 'vitest';
import { runEndToEnd } from '../../../src/cli/end-to-end/run-end-to-end.ts';
import { createWorldCustomers } from '../../../src/cli/end-to-end/world-customers.ts';
import { startWorldInbox, type WorldMail } from '../../../src/cli/end-to-end/world-inbox.ts';
import { endToEndWorld } from '../../../src/simulator/end-to-end/end-to-end-world.ts';
import { parameters } from '../../../src/simulator/parameters.ts';
import { buildWorld } from '../../../src/simulator/world.ts';
import { createTestDatabase } from '../../kits/database.ts';

it('the world’s inbox takes what a real mail client sends, to the letter', async () => {
  const mails: WorldMail[] = [];
  const inbox = await startWorldInbox({ take: (mail) => void mails.push(mail) });
  onTestFinished(() => inbox.close());
  const client = createTransport({ host: '127.0.0.1', port: inbox.port, secure: false });
  const text = 'One.\n.two\n..three\nhttps://page.world.example/a.b';
  for (const to of ['payer1@world.example', 'payer2@world.example']) {
    await client.sendMail({ from: 'a@world.example', to, subject: 'S', text });
  }
  client.close();
  expect(mails.map(({ to }) => to)).toEqual(['payer1@world.example', 'payer2@world.example']);
  expect(mails[0]?.source).toContain('\r\n.two\r\n..three\r\n');
});

it('payers answer messages by the world’s draws: they open, give a method, or cancel', async () => {
  const shares = { ...parameters.messages, openedFirstShare: 1, finishedShare: 0.5 };
  const world = endToEndWorld(
    buildWorld({ seed: 1, days: 14, parameters: { ...parameters, messages: shares } }),
    60,
  );
  const told: string[] = [];
  const customers = createWorldCustomers({
    world,
    hour: () => 5,
    calls: () => ({
      isOpen: async (token) => token !== 'ended.1',
      tell: async (token, path) => void told.push(`${token} ${path}`),
    }),
  });
  const link = (token: string) => `\r\n\r\nhttps://page.world.example/${token}\r\n`;
  for (let index = 0; index < 60; index += 1) {
    customers.take({ to: `payer${index}@world.example`, source: link(`of.${index}`) });
  }
  const events = Array.from({ length: 400 }, (_, hour) => world.eventsAt(hour)).flat();
  for (const event of events) {
    if (event.kind === 'opens' || event.kind === 'acts') await customers.act(event);
  }
  const { mails, opened, acted } = customers.counts;
  expect([mails, told.length]).toEqual([60, opened + acted]);
  expect(opened).toBeGreaterThan(acted);
  expect(acted).toBeGreaterThan(5);
});

it('the whole service writes to waiting payers, and its report counts what the world counts', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { messages, breaches } = await runEndToEnd({
    seed: 1,
    failures: 30,
    days: 3,
    tailDays: 2,
    windowDays: 3,
    maxAttempts: 4,
    fixedDays: [1, 2],
    holdoutShare: 0.3,
    exploreShare: 0,
    learnedShare: 0,
    messages: { isOn: true, holdoutShare: 0.3 },
    settings: {
      DATABASE_URL: database.connectionString,
      ENCRYPTION_KEY: '00'.repeat(32),
      OPERATOR_TOKEN: 'operator-token-of-a-simulated-world-0123',
    },
  });
  expect(breaches).toBe(0);
  const [said] = messages?.report.currencies ?? [];
  const counts = (arm: { payments: number; recovered: number } | undefined) => [
    arm?.payments ?? 0,
    arm?.recovered ?? 0,
  ];
  expect(counts(said?.messages)).toEqual(counts(messages?.messages));
  expect(counts(said?.holdout)).toEqual(counts(messages?.holdout));
  expect(messages?.customers.mails).toBe(messages?.report.sent);
  expect(messages?.report.sent).toBeGreaterThan(0);
}, 240_000);
