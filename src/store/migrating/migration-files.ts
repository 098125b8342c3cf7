import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of migrations/. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** What a cell runs in its place whose tables Citus has as shards, where it takes none of the other. */
  readonly sqlOnCitus: string | undefined;
  readonly checksum: string;
  /** `expand`: releases from before it run on its schema. `contract`: they do not. */
  readonly kind: MigrationKind;
  /** Each statement for itself, outside of a transaction, as `create index concurrently` has to be. */
  readonly isAlone: boolean;
}
export type MigrationKind = 'expand' | 'contract';

const ownFolder = new URL('../migrations/', import.meta.url);
/** Within the folder: files of the same names. */
const onCitus = 'on-citus';
const shape = /^\d{4}_[a-z0-9_]+\.sql$/;

/** The names of this version's migrations, in their order. */
export async function migrationFiles(folder: URL = ownFolder): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => shape.test(name)).sort();
}

/** The same with their texts, and what lines of their banners say of them. */
export async function readMigrations(folder: URL = ownFolder): Promise<readonly Migration[]> {
  const names = await migrationFiles(folder);
  const all = new Set(await readdir(folder, { recursive: true }));
  const read = (name: string) => readFile(new URL(name, folder), 'utf8');
  return Promise.all(
    names.map(async (name) => {
      const sqlOnCitus = all.has(join(onCitus, name))
        ? await read(`${onCitus}/${name}`)
        : undefined;
      return { ...migrationOf(name, await read(name)), sqlOnCitus };
    }),
  );
}

/** The same migration, by name and checksum, with the text that a cell runs whose tables are shards. */
export function asOnCitus(migration: Migration): Migration {
  return { ...migration, sql: migration.sqlOnCitus ?? migration.sql };
}

function migrationOf(name: string, sql: string): Omit<Migration, 'sqlOnCitus'> {
  return {
    name,
    sql,
    checksum: checksumOf(sql),
    kind: /^-- contract\b/m.test(sql) ? 'contract' : 'expand',
    isAlone: /^-- outside a transaction\b/m.test(sql),
  };
}

/** Of a text's lines, however they end: a checkout on Windows may have changed that. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
