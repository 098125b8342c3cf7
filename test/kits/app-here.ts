import { randomFillSync } from 'node:crypto';
import { pino } from 'pino';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { verifiedLine } from '../../src/app/verified-line.ts';
import { type App, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { freePorts } from './free-ports.ts';
import type { ServiceEntries } from './service-entries.ts';

/** A whole service in the test's own process, which has its modules already: a start of seconds is one of milliseconds. */
export interface AppHere extends ServiceEntries {
  /** What it would print of the webhooks that the demo merchant verified. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts it in the sandbox, with these settings beside or instead of the kit's: any free ports, and no log. */
export async function startAppHere(env: Readonly<Record<string, string>>): Promise<AppHere> {
  const lines: string[] = [];
  const app = await startApp(
    {
      machine: { now: () => new Date() },
      random: pooledRandom(randomFillSync),
      elapsedMs: () => performance.now(),
      log: pino({ level: 'silent' }),
      onVerified: (received) => void lines.push(verifiedLine(received)),
      onFatal: (error) => {
        throw error;
      },
    },
    // How busy the machine is with other tests is not to change an answer.
    parseConfig({ ...freePorts, DRAIN_DELAY: '0s', SHED_AT_DELAY: '0ms', SANDBOX: 'true', ...env }),
  );
  return { ...entriesOf(app), printed: () => lines.join(''), stop: () => app.close() };
}

function entriesOf(app: App): ServiceEntries {
  const { recoveryUrl, disputesUrl, operatorUrl, operatorToken, demo } = app;
  if (!recoveryUrl || !disputesUrl || !operatorUrl || !demo) {
    throw new Error('A part of the service did not start.');
  }
  const { merchantId, recoveryApiKey, signingSecret } = demo.credentials;
  return {
    recoveryUrl,
    disputesUrl,
    operatorUrl,
    operatorToken,
    merchantId,
    apiKey: recoveryApiKey,
    signingSecret,
  };
}
