import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, expect, it, vi } from 'vitest';
import { startApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import { disputesOpenApi } from '../../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../../src/http/recovery/recovery-open-api.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createTestDatabase } from '../../kits/database.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { freePorts } from '../../kits/free-ports.ts';
import { operationsOf } from '../../kits/open-api.ts';
import { startStripeServer } from '../../kits/psps/stripe-server.ts';
import { type Called, callEverything } from './call-everything.ts';
import { trials, tryingDatabases } from './try-statements.ts';

/**
 * Every statement that calls of merchants and webhooks of their PSPs run is tried without its conditions
 * on whose a row is, on the rows that it is about to find, as another merchant: it answers nothing.
 */

vi.mock('../../../src/store/wall/merchant-databases.ts', async (original) => {
  const real = await original<typeof import('../../../src/store/wall/merchant-databases.ts')>();
  return {
    ...real,
    openMerchantDatabases: (...[deps, input]: Parameters<typeof real.openMerchantDatabases>) =>
      tryingDatabases(real.openMerchantDatabases(deps, input), openDatabase(deps, input)),
  };
});
vi.setConfig({ testTimeout: 480_000, hookTimeout: 480_000 });

/** Statements without such a condition, and what else holds them to their merchant. */
const unconditional: Readonly<Record<string, string>> = {
  append_requests: 'inserts rows whose merchant is given',
  append_audit_log: 'inserts a row whose merchant is given',
  begin_dispute_attachment: 'inserts a row whose merchant is given',
  begin_dispute_submission: 'inserts a row whose merchant is given',
  insert_analytics_index_key: 'inserts a row whose merchant is given',
  note_dispute_change: 'inserts a row whose merchant is given',
  note_psp_event: 'inserts a row whose merchant is given',
  note_psp_event_in_month: 'inserts a row whose merchant is given',
  write_dispute: 'inserts a row whose merchant is given, or changes the one of its key',
  lock_dispute: 'takes a lock by a name that has the merchant in it, and reads no row',
};
/** Of so many it is sure that something was there to be found: without a wall they do find it. */
const atLeastInTheOpen = 45;

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const part of open.toReversed()) await part.close();
});

async function world() {
  const database = await createTestDatabase();
  open.push({ close: () => database.drop() });
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const stripe = await startStripeServer({ now });
  const server = await startFakeMerchant({ now });
  open.push(stripe, server);
  const app = await startApp(
    {
      machine: { now: () => new Date() },
      random: { bytes: (count) => new Uint8Array(randomBytes(count)) },
      elapsedMs: () => performance.now(),
      log: pino({ level: 'warn' }),
      onFatal: (error) => {
        throw error;
      },
    },
    parseConfig({
      DATABASE_URL: database.connectionString,
      ENCRYPTION_KEY: '07'.repeat(32),
      OPERATOR_TOKEN: 'a-token-of-the-test-0123456789abcdef',
      STRIPE_URL: stripe.url,
      SANDBOX: 'true',
      DASHBOARD: 'false',
      ...freePorts,
    }),
  );
  open.push(app);
  const { recoveryUrl = '', disputesUrl = '', operatorUrl = '', operatorToken } = app;
  const service = { recoveryUrl, disputesUrl, operatorUrl, operatorToken };
  const pass = (durationMs: number) => {
    aheadMs += durationMs;
  };
  return { service, stripe, server, pass };
}

it('every statement answers nothing of another merchant without its conditions', async () => {
  const called: Called = new Set();
  await callEverything(await world(), called);
  const breaches = trials.behindTheWall.filter(({ reached }) => reached.length > 0);
  expect(breaches).toEqual([]);
  const found = trials.inTheOpen.filter(({ reached }) => reached.length > 0);
  expect(new Set(found.map(({ statement }) => statement)).size).toBeGreaterThan(atLeastInTheOpen);
  expect([...trials.unconditional].toSorted()).toEqual(Object.keys(unconditional).toSorted());
  const operations = [recoveryOpenApi, disputesOpenApi].map(async (document) =>
    operationsOf(await document()).map(({ operationId }) => operationId),
  );
  expect((await Promise.all(operations)).flat().filter((id) => !called.has(id))).toEqual([]);
});
