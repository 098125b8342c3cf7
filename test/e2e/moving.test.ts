import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../kits/database.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { type Evidence, judge } from '../kits/load-verdict.ts';
import { queryOnce } from '../kits/query-once.ts';
import { createRandomLoad, type RandomLoad } from '../kits/random-load.ts';
import { seeded } from '../kits/seeded.ts';
import { type Service, useServices } from '../kits/service.ts';
import { advance, brokenPromises, createMerchant, recoveryApi } from '../kits/service-calls.ts';
import { startTwoCells, type TwoCells } from '../kits/two-cells.ts';

const services = useServices();
const timeout = 900_000;
/** To see a run again: MOVE_SEED=… npx vitest run test/e2e/moving.test.ts */
const seed = Number(process.env.MOVE_SEED ?? randomBytes(4).readUInt32BE());
const random = seeded(seed);

/** What the command says after each of its steps. */
const steps = [
  /Begun/,
  /Copied what there was/,
  /Drained/,
  /Closed/,
  /Fenced/,
  /Copied what had changed/,
  /Switched/,
];

/** Answers while one step of a test lasts, at most: bounds the whole load, however slow the machine is. */
const maxAnswers = 150;

/** Requests until `end` is called; `some` resolves once a few more were answered, `beside` has them go on beside a step. */
function startLoad(cells: TwoCells, apiKey: string) {
  const load = createRandomLoad(random, 'moved', { mayAnswer: [503] });
  // Always by the address and the key of the first cell.
  const api = recoveryApi(cells.services[0], apiKey);
  let heard = 0;
  let isOver = false;
  let waiting: { readonly at: number; readonly go: () => void } | undefined;
  let allowed = maxAnswers;
  let held = Promise.withResolvers<void>();
  function goOn(): void {
    allowed = heard + maxAnswers;
    held.resolve();
    held = Promise.withResolvers();
  }
  const running = load.run(api, {
    isOver: () => isOver,
    onAnswer: () => {
      heard += 1;
      if (waiting !== undefined && heard >= waiting.at) waiting.go();
    },
    mayGoOn: async () => {
      while (!isOver && heard >= allowed) await held.promise;
    },
  });
  return {
    load,
    api,
    async some(count: number) {
      const enough = Promise.withResolvers<void>();
      waiting = { at: heard + count, go: enough.resolve };
      goOn();
      await enough.promise;
    },
    beside<Result>(step: Promise<Result>): Promise<Result> {
      goOn();
      return step;
    },
    async end() {
      isOver = true;
      goOn();
      await running;
    },
  };
}

async function slowMerchant(): Promise<FakeMerchant> {
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  server.answerLookups(() => ({
    body: { retry: true, reason: 'Invoice open' },
    ...(random.chance(0.5) ? { delayMs: 30 } : {}),
  }));
  server.answerWebhooks(() =>
    random.chance(0.05)
      ? { status: 500 }
      : { body: {}, ...(random.chance(0.5) ? { delayMs: 30 } : {}) },
  );
  return server;
}

/** Sends what was not taken, lets everything come to its end, and holds all records against each other. */
async function playOut(
  cells: TwoCells,
  of: Pick<Evidence, 'api'> & {
    readonly load: RandomLoad;
    readonly server: FakeMerchant;
  },
) {
  const { server, load, api } = of;
  server.answerWebhooks({ body: {} });
  await load.sendRest(api);
  // Day by day: a call is waited for no longer than the work of one takes.
  for (let day = 0; day < 5; day += 1) await advance(cells.services[1], 'P1D');
  const charges = await cells.ledger();
  const { DATABASE_URL: connectionString, DATABASE_SCHEMA: schema } = cells.settings[1];
  const evidence = { ...of, connectionString, schema, ledger: charges, webhooks: server.webhooks };
  expect(await judge(evidence)).toEqual([]);
  for (const service of cells.services) expect(await brokenPromises(service)).toEqual([]);
  process.stdout.write(
    `A move under load: ${load.acknowledged} requests acknowledged, ${charges.length} charges, ${server.webhooks.length} webhooks\n`,
  );
  // The load was one.
  expect(charges.length).toBeGreaterThan(50);
}

const policy = { kind: 'fixed' as const, fixed_days: [1, 2], window_days: 3, max_attempts: 4 };

test(`a move under load, killed after each of its steps, loses and doubles nothing (seed ${seed})`, {
  timeout,
}, async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { connectionString } = database;
  const cells = await startTwoCells(services, [connectionString, connectionString]);
  const [first] = cells.services;
  const server = await slowMerchant();
  const { merchantId, apiKey } = await createMerchant(first, server, {
    end_of_dunning: true,
    policy,
  });
  const { load, api, some, beside, end } = startLoad(cells, apiKey);
  await some(100);
  for (const killAt of steps) {
    const exit = await beside(cells.move(merchantId, { killAt }));
    expect([killAt, exit.signal, exit.stderr]).toEqual([killAt, 'SIGKILL', exit.stderr]);
  }
  const moved = await beside(cells.move(merchantId));
  // Nothing but a note is left to do after the last of these steps: it may be made before the signal comes.
  const hadMoved = moved.stderr.includes('It has moved to cell_2.');
  expect([moved.code, moved.stderr]).toEqual([hadMoved ? 1 : 0, moved.stderr]);
  await some(60);
  const cleared = await beside(cells.move(merchantId, { args: ['--clear'] }));
  expect([cleared.code, cleared.stderr]).toEqual([0, '']);
  await some(60);
  await end();

  await playOut(cells, { load, api, server });
  const [left] = await queryOnce(
    cells.settings[0].DATABASE_URL,
    `select (select count(*)::int from cell_1.payments) as payments,
            (select count(*)::int from cell_1.requests) as requests,
            (select state from cell_1.merchant_moves) as state`,
  );
  expect(left).toEqual({ payments: 0, requests: 0, state: 'cleared' });
  const waiting = await queryOnce(cells.settings[1].DATABASE_URL, 'select from cell_2.moving_rows');
  expect(waiting).toEqual([]);
});

test(`a worker that stands still over a move to another database charges nothing late (seed ${seed})`, {
  timeout,
}, async () => {
  const databases = [await createTestDatabase(), await createTestDatabase()] as const;
  onTestFinished(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });
  const [here, there] = databases.map(({ connectionString }) => connectionString) as [
    string,
    string,
  ];
  const cells = await startTwoCells(services, [here, there]);
  const [first] = cells.services;
  const still = await cells.start(0, { ROLES: 'worker' });
  const server = await slowMerchant();
  const { merchantId, apiKey } = await createMerchant(first, server, {
    end_of_dunning: true,
    policy,
  });
  const { load, api, some, beside, end } = startLoad(cells, apiKey);
  await some(100);
  await standStill(still, cells.settings[0].DATABASE_URL);
  const cut = await beside(cells.move(merchantId, { killAt: /Fenced/ }));
  expect(cut.signal).toBe('SIGKILL');
  const back = await beside(cells.move(merchantId, { args: ['--back'] }));
  expect([back.code, back.stderr]).toEqual([0, '']);
  await some(60);
  const moved = await beside(cells.move(merchantId));
  expect([moved.code, moved.stderr]).toEqual([0, moved.stderr]);
  await some(30);
  process.kill(still.pid, 'SIGCONT');
  await some(60);
  await end();
  await playOut(cells, { load, api, server });
});

/** Stops a process, where it holds no transaction open: one that does keeps a move from being fenced. */
async function standStill(still: Service, connectionString: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    process.kill(still.pid, 'SIGSTOP');
    const held = await queryOnce(
      connectionString,
      `select 1 from pg_sleep(0.7), pg_stat_activity
       where datname = current_database() and state like 'idle in transaction%'
         and state_change < now() - interval '0.5 s'`,
    );
    if (held.length === 0) return;
    process.kill(still.pid, 'SIGCONT');
  }
  throw new Error('it holds a transaction whenever it is stopped');
}
