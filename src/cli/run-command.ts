import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { parseSettings } from '../config.ts';
import { AppError } from '../domain/errors.ts';
import type { Cli } from './cli.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { listenerPorts } from './listener-ports.ts';
import { openOperatorClient } from './open-operator-client.ts';
import { createProgram } from './program.ts';
import { createProgress } from './progress.ts';
import { saveWhole } from './save-whole.ts';

const cli: Cli = {
  open: () => openOperatorClient(process.env),
  listenerPorts: async () => listenerPorts(process.env),
  database: () => {
    const settings = parseSettings(process.env, ['databaseUrl', 'databaseSchema']);
    const { databaseUrl: connectionString, databaseSchema: schema } = settings;
    return connectionString === undefined ? undefined : { connectionString, schema };
  },
  environment: () => process.env,
  readFile: (path) =>
    reading(path, () => (path === '-' ? text(process.stdin) : readFile(path, 'utf8'))),
  readBytes: (path) => reading(path, () => readFile(path)),
  writeFile: (path, bytes) => saveWhole(path, Readable.from([bytes])),
  save: (path, chunks) =>
    path === undefined ? pipeline(chunks, process.stdout, { end: false }) : saveWhole(path, chunks),
  show: (options, json, human) => {
    process.stdout.write(`${options.json ? JSON.stringify(json, undefined, 2) : human()}\n`);
  },
  line: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  progress: createProgress(process.stderr),
  now: () => new Date(),
  newSecret: () => `whsec_local_${randomBytes(24).toString('base64url')}`,
  pause: (ms) => setTimeout(ms),
};

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', () => process.exit(exitCodes.done));

try {
  await createProgram(cli).parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}

/** Says in one line what went wrong. */
function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    // Without a command, commander has printed the help already.
    if (error.code === 'commander.help') return exitCodes.usage;
    return say(`${error.message.replace(/([^.)])$/, '$1.')} See recoup --help.`, exitCodes.usage);
  }
  if (error instanceof CliError) return say(error.message, error.exitCode);
  if (error instanceof AppError) return say(error.message, exitCodes.usage);
  return say(`An unexpected fault: ${String(error)}`, exitCodes.refused);
}

function say(message: string, exitCode: number): number {
  process.stderr.write(`recoup: ${message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')}\n`);
  return exitCode;
}

async function reading<Content>(path: string, read: () => Promise<Content>): Promise<Content> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(exitCodes.usage, `The file ${path} cannot be read${code}.`);
  }
}
