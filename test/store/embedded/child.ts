import { randomBytes } from 'node:crypto';
import { AppError } from '../../../src/domain/errors.ts';
import {
  type EmbeddedServerInput,
  startEmbeddedServer,
} from '../../../src/store/embedded/embedded-server.ts';

/**
 * A process of its own that runs an embedded server, for tests that kill it or run it as another
 * user. Its argument is the input as JSON; it answers with one line of JSON, and stops the server
 * when its standard input ends.
 */
const input = JSON.parse(process.argv[2] ?? '{}') as EmbeddedServerInput;
const log = { info: note, warn: note };

function note(message: string): void {
  process.stderr.write(`${message}\n`);
}

function answer(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

try {
  const random = { bytes: (count: number) => randomBytes(count) };
  const server = await startEmbeddedServer({ log, random }, input);
  const { connectionString, dataPath, adopted } = server;
  answer({ connectionString, dataPath, adopted });
  process.stdin.once('end', () => server.stop());
  process.stdin.resume();
} catch (error) {
  answer(
    error instanceof AppError
      ? { code: error.code, message: error.message }
      : { code: 'unexpected', message: String(error) },
  );
  process.exitCode = 1;
}
