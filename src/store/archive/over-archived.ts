import { InvariantError } from '../../domain/errors.ts';
import type { InvoiceOf } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { findPlace, neverPacked } from './find-archived.ts';
import { unpackedParts, unpackedValue } from './unpacked-rows.ts';

/** Months lie between two moves of a payment into the archive, so hardly ever is a third one needed. */
const maxReadings = 4;

/**
 * Runs reads of one payment as if it had never been archived: by the statements that read any payment, over tables
 * into which what is packed of this one was put. Where its rows are is looked up after the reading, for a payment may
 * be packed or put back between two statements: what was read holds if they were there all the time, and is read again
 * otherwise. So almost every payment, which no archive has come to yet, is read once.
 */
export async function withArchived<Result>(
  db: Queryable,
  of: InvoiceOf,
  read: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  let place = neverPacked;
  for (let readings = 0; readings < maxReadings; readings += 1) {
    const { packed } = place;
    const result = await read(packed === undefined ? db : over(db, unpackedValue(of, packed)));
    const found = await findPlace(db, of);
    if (found.version === place.version) return result;
    place = found;
  }
  throw new InvariantError('a payment is not packed and put back again within each reading of it');
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
