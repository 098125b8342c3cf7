import type pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import type { Migration } from './migration-files.ts';

/** A migration that has run on a database. */
export interface MigrationDone {
  /** Of its text; none of what ran before checksums were kept. */
  readonly checksum: string | null;
  /** None of what ran before kinds were kept. */
  readonly kind: string | null;
}

/** Each migration that has run; none on an empty database. Changes nothing. */
export async function migrationsDone(
  client: pg.Client,
): Promise<ReadonlyMap<string, MigrationDone>> {
  const columns = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`,
  );
  const has = (column: string) => columns.rows.some(({ name }) => name === column);
  if (columns.rows.length === 0) return new Map();
  const { rows } = await client.query<MigrationDone & { name: string }>(
    `select name, ${has('checksum') ? 'checksum' : 'null as checksum'},
            ${has('kind') ? 'kind' : 'null as kind'}
     from migrations`,
  );
  return new Map(rows.map(({ name, ...done }) => [name, done]));
}

/**
 * What a newer version has added to the database; nothing that releases from before do not run on.
 *
 * @throws AppError database_newer
 */
export function newerThan(
  migrations: readonly Migration[],
  done: ReadonlyMap<string, MigrationDone>,
): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = [...done].filter(([name]) => !known.has(name));
  const names = newer.map(([name]) => name);
  if (newer.some(([, { kind }]) => kind !== 'expand')) {
    throw new AppError(
      'database_newer',
      `The database was written by a newer version of Recoup (it holds ${names.join(', ')}).`,
    );
  }
  return names;
}
