import { appendFileSync } from 'node:fs';
import pg from 'pg';

/** A statement of the store with a part of its text exchanged, as JSON, and where to note what became of it. */
export const sqlMutantVariable = 'RECOUP_SQL_MUTANT';

export interface Rewriting {
  readonly statement: string;
  readonly part: string;
  readonly by: string;
  /** A file that gets a line each time that the statement is sent changed. */
  readonly noteTo: string;
}

interface Sent {
  readonly name?: string;
  readonly text: string;
}

const planted = process.env[sqlMutantVariable];
const isPatched = Symbol.for('recoup.sql-mutant');
const client = pg.Client.prototype as unknown as {
  query: ((...args: unknown[]) => unknown) & { [isPatched]?: true };
};

// Each test file runs this; the driver is the same one for all of them.
if (planted !== undefined && client.query[isPatched] !== true) {
  const rewriting = JSON.parse(planted) as Rewriting;
  const { query } = client;
  const patched = function (this: unknown, first: unknown, ...others: unknown[]): unknown {
    return query.call(this, rewritten(rewriting, first), ...others);
  };
  client.query = Object.assign(patched, { [isPatched]: true } as const);
}

function rewritten(rewriting: Rewriting, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('text' in sent)) return sent;
  const { name, text } = sent as Sent;
  const { statement, part, by, noteTo } = rewriting;
  if (name !== statement || !text.includes(part)) return sent;
  appendFileSync(noteTo, `${name}\n`);
  return { ...sent, text: text.replaceAll(part, () => by) };
}
