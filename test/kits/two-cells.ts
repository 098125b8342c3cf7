import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandboxPsp } from '../../src/psp/sandbox/server/sandbox-server.ts';
import { testCluster } from './database.ts';
import { readLedger, sandboxApiKey } from './engine-faults.ts';
import { makeCell } from './moving.ts';
import { type Exit, startProgram } from './program.ts';
import type { Service, ServiceOptions, Services } from './service.ts';

/** What names a cell: where it is, and the keys that are its alone. */
export interface CellSettings {
  readonly DATABASE_URL: string;
  readonly DATABASE_SCHEMA: string;
  readonly ENCRYPTION_KEY: string;
}

export interface TwoCells {
  readonly settings: readonly [CellSettings, CellSettings];
  readonly services: readonly [Service, Service];
  /** A further process of one of them. */
  start(cell: 0 | 1, env?: ServiceOptions['env']): Promise<Service>;
  ledger(): ReturnType<typeof readLedger>;
  /** Runs `recoup merchants move` from one cell to the other; `killAt`: kill -9 once it says so. */
  move(
    merchantId: string,
    input?: { from?: 0 | 1; args?: readonly string[]; killAt?: RegExp },
  ): Promise<Exit>;
}

/** Short, so that what a killed or stopped process had in hand is soon somebody else's. */
const patience = {
  PSP_TIMEOUT: '2s',
  MERCHANT_TIMEOUT: '2s',
  WEBHOOK_TIMEOUT: '2s',
  ATTEMPT_LEASE: '6s',
  DELIVERY_LEASE: '4s',
};
/** What was held back by a stalled machine comes at once: how much a merchant may send is not what moves are about. */
const roomForAll = {
  RECOVERY_RATE_LIMIT_PER_MINUTE: '600000',
  READ_RATE_LIMIT_PER_MINUTE: '600000',
};
const moveWithinMs = 300_000;

/** Two cells before one PSP, each with keys of its own. */
export async function startTwoCells(
  services: Services,
  connectionStrings: readonly [string, string],
  env: ServiceOptions['env'] = {},
): Promise<TwoCells> {
  const psp = await startSandboxPsp(
    { clock: { now: () => new Date() }, random: { bytes: (count) => randomBytes(count) } },
    { host: '127.0.0.1', port: 0, apiKey: sandboxApiKey },
  );
  onTestFinished(() => psp.close());
  const places = await placesOf(connectionStrings);
  const settingsOf = (at: 0 | 1): CellSettings => ({
    DATABASE_URL: places[at],
    DATABASE_SCHEMA: `cell_${at + 1}`,
    ENCRYPTION_KEY: `0${at + 1}`.repeat(32),
  });
  const settings = [settingsOf(0), settingsOf(1)] as const;
  const start = (at: 0 | 1, own: ServiceOptions['env'] = {}) =>
    services.start({
      env: {
        ...settings[at],
        OPERATOR_TOKEN: `operator-token-of-cell-${at + 1}`,
        SANDBOX: 'true',
        SANDBOX_PSP_URL: psp.url,
        ...patience,
        ...roomForAll,
        ...env,
        ...own,
      },
    });
  // One after the other: two that begin in one new database may make its roles at once.
  const first = await start(0);
  const started = [first, await start(1)] as const;
  return {
    settings,
    services: started,
    start,
    ledger: () => readLedger(psp.url),
    async move(merchantId, { from = 0, args, killAt } = {}) {
      const to = from === 0 ? 1 : 0;
      const file = join(await services.dataDir(), 'other-cell.env');
      await writeFile(file, lines(settings[to]), { mode: 0o600 });
      const { recoveryUrl, disputesUrl } = started[to];
      const way = ['--recovery-url', recoveryUrl, '--disputes-url', disputesUrl];
      const program = startProgram(
        'node',
        ['src/cli/recoup.ts', 'merchants', 'move', merchantId, '--to', file, ...(args ?? way)],
        { ...settings[from] },
      );
      onTestFinished(() => program.abandon());
      if (killAt !== undefined) {
        await program.until(({ stderr }) => killAt.exec(stderr)?.[0]);
        program.signal('SIGKILL');
        await program.ended;
      }
      return killAt === undefined ? await program.end(moveWithinMs) : await program.ended;
    },
  };
}

/** Where each cell is: on Citus made before its service, since a node makes none, and each at another node. */
async function placesOf([one, two]: readonly [string, string]): Promise<readonly [string, string]> {
  if ((await testCluster()).coordinator === undefined) return [one, two];
  const first = await makeCell(one, 'cell_1', 'same');
  const second = await makeCell(two, 'cell_2', 'other');
  return [first.connectionString, second.connectionString];
}

function lines(settings: CellSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
