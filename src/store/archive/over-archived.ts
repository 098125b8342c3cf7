import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { findPacked } from './find-archived.ts';
import { unpackedParts, unpackedValue } from './unpacked-rows.ts';

/**
 * Runs reads of one payment as if it had never been archived: by the statements that read any payment, over tables
 * into which what is packed of this one was put.
 */
export async function withArchived<Result>(
  db: Queryable,
  of: InvoiceOf,
  read: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const packed = await findPacked(db, of);
  return read(packed === undefined ? db : over(db, unpackedValue(of, packed)));
}

function over(db: Queryable, unpacked: string): Queryable {
  return {
    query: (statement, values) =>
      db.query(overUnpacked(statement, values.length + 1), [...values, unpacked]),
  };
}

/** A statement's tables, and views of them, are those of the payment in a further parameter, a JSON document. */
function overUnpacked({ name, text }: Statement, parameter: number): Statement {
  const value = `$${parameter}::jsonb`;
  const [, rest] = /^\s*with\b([\s\S]*)$/i.exec(text) ?? [];
  const parts = Object.entries(unpackedParts(value)).map(
    ([table, rows]) => `${table} as (${rows})`,
  );
  return {
    name: `${name}_unpacked`,
    text: `with ${parts.join(',\n')}${rest === undefined ? `\n${text}` : `,${rest}`}`,
  };
}
