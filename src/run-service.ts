import { randomFillSync } from 'node:crypto';
import { pino } from 'pino';
import { banner } from './app/banner.ts';
import { exitCodeOf } from './app/exit-code.ts';
import { pooledRandom } from './app/pooled-random.ts';
import { verifiedLine } from './app/verified-line.ts';
import { type App, startApp } from './app.ts';
import { type Config, parseConfig } from './config.ts';
import { AppError } from './domain/errors.ts';
import { misspeltSettings } from './misspelt-settings.ts';

const machine = { now: () => new Date() };

/** One line for what a user can mend; the whole fault only for what is our own. */
function fail(error: unknown): void {
  const isTheirs = error instanceof AppError;
  const text = isTheirs ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
}

/** What is still under way is left to others, as if this process had been killed. */
function endAtOnce({ drainTimeMs }: Config): void {
  process.stderr.write(`Some work in progress did not end within DRAIN_TIME (${drainTimeMs}ms).\n`);
  process.exit(1);
}

async function run(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ fd: 2, sync: true }));
  for (const { variable, meant } of misspeltSettings(process.env)) {
    log.warn({ variable, meant }, 'a variable is no setting and is ignored: was this one meant?');
  }
  let starting: Promise<App> | undefined;
  let isEnding = false;
  const ending = new AbortController();
  const hurry = new AbortController();
  const end = async (code: number): Promise<void> => {
    if (code !== 0 || isEnding) hurry.abort();
    if (isEnding) return;
    isEnding = true;
    process.exitCode = code;
    setTimeout(endAtOnce, config.drainTimeMs, config).unref();
    if (code === 0) log.info('this process ends');
    ending.abort();
    try {
      // A start that is cut short closes what it had started, and says nothing more.
      const app = await starting?.catch(() => undefined);
      await app?.drain(hurry.signal);
      await app?.close();
    } catch (error) {
      fail(error);
      process.exitCode = 1;
    }
    process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
  starting = startApp(
    {
      machine,
      random: pooledRandom(randomFillSync),
      elapsedMs: () => performance.now(),
      log,
      onVerified: (received) => process.stdout.write(verifiedLine(received)),
      onFatal: (error) => {
        fail(error);
        void end(1);
      },
      ending: ending.signal,
    },
    config,
  );
  try {
    const app = await starting;
    process.stdout.write(banner(app, app.now()));
  } catch (error) {
    if (!isEnding) throw error;
  }
}

try {
  await run(parseConfig(process.env));
} catch (error) {
  fail(error);
  process.exit(exitCodeOf(error));
}
