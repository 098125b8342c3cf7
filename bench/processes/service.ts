import { randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { type App, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { freePorts } from '../../test/kits/free-ports.ts';
import { serve } from '../kit/serve.ts';

/** The whole service as `npm start` runs it, on its embedded database in a folder of its own. */
let folder: string | undefined;
let app: App | undefined;

interface Opened {
  readonly url: string;
  readonly apiKey: string;
  readonly disputesUrl: string;
  /** The merchant's id and a disputes password, with a colon between them. */
  readonly disputesCredentials: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** Of the embedded database; 0 where the service has another one. */
  readonly postmasterPid: number;
}

interface Opening {
  readonly roles: string;
  /** Settings of the run, beside those that every run has. */
  readonly settings?: Readonly<Record<string, string>>;
}

async function open({ roles, settings }: Opening): Promise<Opened> {
  folder = await mkdtemp(join(tmpdir(), 'recoup-bench-'));
  // As root, the database's own user passes through.
  await chmod(folder, 0o711);
  const config = parseConfig({
    DATA_DIR: folder,
    ROLES: roles,
    ...freePorts,
    RECOVERY_RATE_LIMIT_PER_MINUTE: '100000000',
    DISPUTES_RATE_LIMIT_PER_MINUTE: '100000000',
    ...settings,
  });
  app = await startApp(
    {
      machine: { now: () => new Date() },
      random: pooledRandom(randomFillSync),
      elapsedMs: () => performance.now(),
      log: pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true })),
      onFatal: (error) => {
        throw error;
      },
    },
    config,
  );
  return {
    url: app.recoveryUrl ?? '',
    apiKey: app.demo?.credentials.recoveryApiKey ?? '',
    disputesUrl: app.disputesUrl ?? '',
    disputesCredentials: `${app.demo?.credentials.merchantId}:${app.demo?.credentials.disputesPassword}`,
    operatorUrl: app.operatorUrl ?? '',
    operatorToken: app.operatorToken,
    postmasterPid: app.dataPath === undefined ? 0 : await postmasterOf(app.dataPath),
  };
}

async function postmasterOf(dataPath: string): Promise<number> {
  const pidFile = await readFile(join(dataPath, 'postmaster.pid'), 'utf8');
  return Number(pidFile.split('\n')[0]);
}

const calls = {
  open,
  /** CPU time of this process, its threads included. */
  async cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};
export type ServiceCalls = typeof calls;

serve(calls, async () => {
  await app?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});
