import { AppError } from '../domain/errors.ts';
import type { Page } from '../recovery/api.ts';

/** The last row's sort keys, as texts: the next page begins behind them. */
export type CursorKeys = readonly string[];

/** An opaque text for a URL: base64url of the keys' JSON. It names a place and grants nothing. */
export function encodeCursor(keys: CursorKeys): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/**
 * The keys of a cursor: an instant and `more` ids. No cursor gives undefined.
 *
 * @throws AppError invalid_request for a text that no list of this kind gave
 */
export function decodeCursor(
  cursor: string | undefined,
  more: number,
): readonly [Date, ...string[]] | undefined {
  if (cursor === undefined) return undefined;
  const [instant, ...ids] = parseKeys(cursor);
  const at = new Date(instant ?? '');
  if (ids.length !== more || !isOurs(instant, at) || ids.some((id) => id.includes('\0'))) {
    throw cursorRefused();
  }
  return [at, ...ids];
}

/** Where a page begins, as its statement takes it: the keys of a cursor, or as many nulls. */
export function placeOf(
  cursor: string | undefined,
  more: number,
): readonly (Date | string | null)[] {
  return decodeCursor(cursor, more) ?? Array<null>(more + 1).fill(null);
}

function parseKeys(cursor: string): readonly string[] {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys;
  } catch {
    // Not JSON: the same answer as for JSON of another shape.
  }
  throw cursorRefused();
}

/** Written as we write instants: years of four digits, which PostgreSQL can compare. */
function isOurs(instant: string | undefined, at: Date): boolean {
  return !Number.isNaN(at.getTime()) && instant?.length === 24 && at.toISOString() === instant;
}

export function cursorRefused(): AppError {
  return new AppError('invalid_request', 'cursor is not one that this list has given.', {
    action: 'Begin again at the first page, without a cursor.',
  });
}

/** One page from up to one row more than `limit`: the extra row shows that there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  read: { readonly item: (row: Row) => Item; readonly keys: (row: Row) => CursorKeys },
): Page<Item> {
  const items = rows.slice(0, limit).map(read.item);
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { items };
  return { items, nextCursor: encodeCursor(read.keys(last)) };
}
