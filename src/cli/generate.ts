import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { operatorOpenApi } from '../http/operator/operator-open-api.ts';
import { renderSettingsDoc } from '../settings-doc.ts';
import { renderErrorsDoc } from './errors-doc.ts';

/** A file that is written from the code, so that it cannot say anything else. */
interface Generated {
  /** From the folder of the package. */
  readonly path: string;
  render(): string | Promise<string>;
}

const generated: readonly Generated[] = [
  { path: 'docs/settings.md', render: renderSettingsDoc },
  { path: 'docs/errors.md', render: renderErrorsDoc },
  { path: 'openapi/operator.json', render: async () => jsonText(await operatorOpenApi()) },
];

const packageFolder = join(import.meta.dirname, '../..');

/** Writes every generated file, or with `--check` says which of them are not what they should be. */
async function generate(args: readonly string[]): Promise<number> {
  const [mode, ...rest] = args;
  if (rest.length > 0 || (mode !== undefined && mode !== '--check')) {
    process.stderr.write('generate: the only option is --check.\n');
    return 2;
  }
  const stale: string[] = [];
  for (const { path, render } of generated) {
    const text = await render();
    const file = join(packageFolder, path);
    if (text === (await readIfThere(file))) continue;
    stale.push(path);
    if (mode === '--check') continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    process.stdout.write(`Wrote ${path}.\n`);
  }
  if (mode !== '--check' || stale.length === 0) return 0;
  process.stderr.write(`Stale: ${stale.join(', ')}. Run npm run generate and commit the result.\n`);
  return 1;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function jsonText(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

process.exitCode = await generate(process.argv.slice(2));
