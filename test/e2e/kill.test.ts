import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxCharge } from '../../src/psp/sandbox/server/charge.ts';
import { startSandboxPsp } from '../../src/psp/sandbox/server/sandbox-server.ts';
import { connectionStringOf, killDatabase } from '../kits/data-dirs.ts';
import { readLedger, sandboxApiKey } from '../kits/engine-faults.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { readLedgerFile } from '../kits/ledger-file.ts';
import { judge } from '../kits/load-verdict.ts';
import { createRandomLoad } from '../kits/random-load.ts';
import { type Seeded, seeded } from '../kits/seeded.ts';
import { type Service, useServices } from '../kits/service.ts';
import { advance, brokenPromises, createMerchant, recoveryApi } from '../kits/service-calls.ts';
import { startSlowProxy } from '../kits/slow-proxy.ts';

const services = useServices();
/** A start for each kill: half a minute of work, ten times that on a very busy machine. */
const timeout = 900_000;
/** To see a run again: KILL_SEED=… npx vitest run test/e2e/kill.test.ts */
const seed = Number(process.env.KILL_SEED ?? randomBytes(4).readUInt32BE());

/** Answers until a kill at most: bounds the whole load, however fast the machine is. */
const maxAnswers = 100;
/** After the last of them, time for what they set going to be at any stage. */
const maxDelayMs = 250;

/** A merchant's server that is slow by chance, and fails at times while `isFailing`. */
async function unreliableMerchant(random: Seeded) {
  const server = await startFakeMerchant();
  onTestFinished(() => server.close());
  const state = { isFailing: true };
  const slow = { delayMs: 30 };
  server.answerLookups(() => {
    if (state.isFailing && random.chance(0.03)) return { status: 500 };
    return { body: { retry: true, reason: 'Invoice open' }, ...(random.chance(0.5) ? slow : {}) };
  });
  server.answerWebhooks(() => {
    if (state.isFailing && random.chance(0.1)) return { status: 500 };
    return { body: {}, ...(random.chance(0.5) ? slow : {}) };
  });
  return { server, state };
}

interface KillTest {
  readonly name: string;
  readonly kills: number;
  readonly env: Readonly<Record<string, string>>;
  readonly ledger: (service: Service) => Promise<readonly SandboxCharge[]>;
}

/**
 * Starts the service, loads it and kills it, again and again; then lets everything that is left play
 * out, and holds the merchant's, the PSP's and the service's record against each other.
 */
async function killAgainAndAgain({ name, kills, env, ledger }: KillTest): Promise<void> {
  const random = seeded(seed);
  const { server, state } = await unreliableMerchant(random);
  const load = createRandomLoad(random, name);
  const dataDir = await services.dataDir();
  let apiKey = '';
  const startedAtMs = performance.now();
  for (let round = 0; round < kills; round += 1) {
    const service = await services.start({ dataDir, env });
    apiKey ||= (
      await createMerchant(service, server, {
        end_of_dunning: true,
        policy: { kind: 'fixed', fixed_days: [1, 2], window_days: 3, max_attempts: 4 },
      })
    ).apiKey;
    const answers = random.int(5, maxAnswers);
    const delayMs = random.int(0, maxDelayMs);
    const database = random.pick(['stays', 'stays', 'stays', 'first', 'after']);
    let heard = 0;
    let isOver = false;
    const enough = Promise.withResolvers<void>();
    const loading = load.run(recoveryApi(service, apiKey), {
      isOver: () => isOver,
      onAnswer: () => {
        heard += 1;
        if (heard >= answers) {
          isOver = true;
          enough.resolve();
        }
      },
    });
    await enough.promise;
    await pause(delayMs);
    if (database === 'first') await killDatabase(dataDir);
    await service.kill();
    if (database === 'after') await killDatabase(dataDir);
    await loading;
  }

  const killedAfterMs = performance.now() - startedAtMs;
  const last = await services.start({ dataDir, env });
  state.isFailing = false;
  const api = recoveryApi(last, apiKey);
  await load.sendRest(api);
  await advance(last, 'P5D');
  const charges = await ledger(last);
  const faults = await judge({
    load,
    api,
    connectionString: await connectionStringOf(dataDir),
    ledger: charges,
    webhooks: server.webhooks,
  });
  expect(faults).toEqual([]);
  expect(await brokenPromises(last)).toEqual([]);
  const seconds = [killedAfterMs, performance.now() - startedAtMs - killedAfterMs]
    .map((durationMs) => (durationMs / 1_000).toFixed(1))
    .join(' + ');
  process.stdout.write(
    `PSP ${name}: ${kills} kills, ${load.acknowledged} requests acknowledged, ${charges.length} charges, ${server.webhooks.length} webhooks, ${seconds} s\n`,
  );
  // The load was one: enough of everything came to pass between the kills.
  expect(charges.length).toBeGreaterThan(5 * kills);
  expect(load.stoppedAtMs.size).toBeGreaterThan(0);
  expect(await last.stop()).toMatchObject({ code: 0 });
}

const patience = { PSP_TIMEOUT: '2s', MERCHANT_TIMEOUT: '2s', WEBHOOK_TIMEOUT: '2s' };

test(`8 kills of all that npm start runs lose nothing and charge nobody twice (seed ${seed})`, {
  timeout,
}, async () => {
  await killAgainAndAgain({
    name: 'inside',
    kills: 8,
    env: patience,
    ledger: (service) => readLedgerFile(service.dataDir),
  });
});

test(`4 kills while the PSP lives on lose nothing and charge nobody twice (seed ${seed})`, {
  timeout,
}, async () => {
  const random = seeded(seed + 1);
  const psp = await startSandboxPsp(
    { clock: { now: () => new Date() }, random: { bytes: (count) => randomBytes(count) } },
    { host: '127.0.0.1', port: 0, apiKey: sandboxApiKey },
  );
  onTestFinished(() => psp.close());
  const proxy = await startSlowProxy(psp.url, () => random.int(0, 150));
  onTestFinished(() => proxy.close());
  await killAgainAndAgain({
    name: 'outside',
    kills: 4,
    env: { ...patience, SANDBOX_PSP_URL: proxy.url },
    ledger: () => readLedger(psp.url),
  });
});
