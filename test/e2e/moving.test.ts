import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../kits/database.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { judge } from '../kits/load-verdict.ts';
import { queryOnce } from '../kits/query-once.ts';
import { createRandomLoad } from '../kits/random-load.ts';
import { seeded } from '../kits/seeded.ts';
import { useServices } from '../kits/service.ts';
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

/** Requests without end, until `end` is called; `some` resolves once a few more were answered. */
function startLoad(cells: TwoCells, apiKey: string) {
  const load = createRandomLoad(random, 'moved', { mayAnswer: [503] });
  // Always by the address and the key of the first cell.
  const api = recoveryApi(cells.services[0], apiKey);
  let heard = 0;
  let isOver = false;
  let waiting: { readonly at: number; readonly go: () => void } | undefined;
  const running = load.run(api, {
    isOver: () => isOver,
    onAnswer: () => {
      heard += 1;
      if (waiting !== undefined && heard >= waiting.at) waiting.go();
    },
  });
  return {
    load,
    api,
    async some(count: number) {
      const enough = Promise.withResolvers<void>();
      waiting = { at: heard + count, go: enough.resolve };
      await enough.promise;
    },
    async end() {
      isOver = true;
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

const policy = { kind: 'fixed' as const, fixed_days: [1, 2], window_days: 3, max_attempts: 4 };

test(`a move under load, killed after each of its steps, loses and doubles nothing (seed ${seed})`, {
  timeout,
}, async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { connectionString } = database;
  const cells = await startTwoCells(services, [connectionString, connectionString]);
  const [first, second] = cells.services;
  const server = await slowMerchant();
  const { merchantId, apiKey } = await createMerchant(first, server, {
    end_of_dunning: true,
    policy,
  });
  const { load, api, some, end } = startLoad(cells, apiKey);
  await some(100);
  for (const killAt of steps) {
    const exit = await cells.move(merchantId, { killAt });
    expect([killAt, exit.signal, exit.stderr]).toEqual([killAt, 'SIGKILL', exit.stderr]);
  }
  const moved = await cells.move(merchantId);
  expect([moved.code, moved.stderr]).toEqual([0, moved.stderr]);
  await some(60);
  const cleared = await cells.move(merchantId, { args: ['--clear'] });
  expect([cleared.code, cleared.stderr]).toEqual([0, '']);
  await some(60);
  await end();

  server.answerWebhooks({ body: {} });
  await load.sendRest(api);
  await advance(second, 'P5D');
  const charges = await cells.ledger();
  const evidence = { load, api, connectionString, schema: 'cell_2', ledger: charges };
  expect(await judge({ ...evidence, webhooks: server.webhooks })).toEqual([]);
  expect(await brokenPromises(second)).toEqual([]);
  expect(await brokenPromises(first)).toEqual([]);
  const [left] = await queryOnce(
    connectionString,
    `select (select count(*)::int from cell_1.payments) as payments,
            (select count(*)::int from cell_1.requests) as requests,
            (select state from cell_1.merchant_moves) as state,
            (select count(*)::int from cell_2.moving_rows) as waiting`,
  );
  expect(left).toEqual({ payments: 0, requests: 0, state: 'cleared', waiting: 0 });
  process.stdout.write(
    `A move under load: ${load.acknowledged} requests acknowledged, ${charges.length} charges, ${server.webhooks.length} webhooks\n`,
  );
  expect(charges.length).toBeGreaterThan(50);
});
