import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * A program: loads every module of src/store and prints its statements as JSON. They are private to their
 * modules, so each module is loaded with a line more that gives away what it declares.
 */
export interface CollectedStatement {
  /** Relative to the project. */
  readonly file: string;
  /** The module's constant that holds it, alone or among others. */
  readonly constant: string;
  readonly name: string;
  readonly text: string;
  /** How it is planned, where it says so. */
  readonly plans?: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'src', 'store');
const kept = new Map<string, Readonly<Record<string, unknown>>>();
(globalThis as { keepDeclared?: unknown }).keepDeclared = kept.set.bind(kept);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const isOfStore = url.startsWith(pathToFileURL(folder).href);
    if (!isOfStore || !url.endsWith('.ts')) return loaded;
    const source = String(loaded.source);
    const names = [...source.matchAll(/^(?:export )?const (\w+)\b/gm)].map((found) => found[1]);
    const line = `\nglobalThis.keepDeclared(${JSON.stringify(url)}, { ${names.join(', ')} });\n`;
    return { ...loaded, source: source + line };
  },
});

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name));
for (const file of files) await import(pathToFileURL(file).href);

const statements: CollectedStatement[] = [];
for (const [url, declared] of kept) {
  const file = relative(root, fileURLToPath(url)).replaceAll('\\', '/');
  for (const [constant, value] of Object.entries(declared)) {
    for (const statement of statementsIn(value)) statements.push({ file, constant, ...statement });
  }
}
process.stdout.write(JSON.stringify(statements));

type Found = Pick<CollectedStatement, 'name' | 'text' | 'plans'>;

function statementsIn(value: unknown, depth = 0): Found[] {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  const { name, text } = value as { name?: unknown; text?: unknown };
  // A part of a statement has a name and a text too, and more.
  const isStatement = Object.keys(value).filter((key) => key !== 'plans').length === 2;
  if (isStatement && typeof name === 'string' && typeof text === 'string') return [value as Found];
  const parts = value instanceof Map ? [...value.values()] : Object.values(value);
  return parts.flatMap((part) => statementsIn(part, depth + 1));
}
