import { createHash } from 'node:crypto';
import type { MonthlyStatement } from './monthly-statement.ts';

/** A merchant's month as a document for people has it. */
export interface StatementDocument {
  readonly merchant: { readonly id: string; readonly name: string };
  readonly statement: MonthlyStatement;
  /** SHA-256 of the rest, in hexadecimal: what was drawn of it once is not drawn again. */
  readonly contentHash: string;
}

/** The document of a month. */
export function statementDocument(
  content: Omit<StatementDocument, 'contentHash'>,
): StatementDocument {
  const { merchant, statement } = content;
  const text = JSON.stringify([merchant.id, merchant.name, statement]);
  return { merchant, statement, contentHash: createHash('sha256').update(text).digest('hex') };
}
