import { join } from 'node:path';
import { exitCodes } from './cli-error.ts';
import { findStale, writeStale } from './documents/generated-files.ts';

const packageFolder = join(import.meta.dirname, '../..');

/** Writes every generated file, or with `--check` says which of them are not what they should be. */
async function generate(args: readonly string[]): Promise<number> {
  const [mode, ...rest] = args;
  if (rest.length > 0 || (mode !== undefined && mode !== '--check')) {
    process.stderr.write('generate: the only option is --check.\n');
    return exitCodes.usage;
  }
  if (mode === undefined) {
    for (const path of await writeStale(packageFolder)) process.stdout.write(`Wrote ${path}.\n`);
    return exitCodes.done;
  }
  const stale = (await findStale(packageFolder)).map(({ path }) => path);
  if (stale.length === 0) return exitCodes.done;
  process.stderr.write(`Stale: ${stale.join(', ')}. Run npm run generate and commit the result.\n`);
  return exitCodes.refused;
}

process.exitCode = await generate(process.argv.slice(2));
