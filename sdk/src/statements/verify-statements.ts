import { isObject } from '../is-object.ts';
import { canonicalText } from './canonical-text.ts';
import { StatementError } from './statement-error.ts';

/** What is worth keeping of a verified statement: whoever has it can verify all that came before. */
export interface StatementMark {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly hash: string;
}

export interface VerifyStatementsOptions {
  /** The last statement that was verified before: the first one given has to follow on it. */
  readonly after?: StatementMark;
}

export interface VerifiedStatements {
  readonly count: number;
  /** The last one, to be kept; absent where none was given and nothing was kept. */
  readonly last?: StatementMark;
  /** Whether the first one is the merchant's first, or follows on what was kept. */
  readonly isAnchored: boolean;
}

interface Reading extends StatementMark {
  readonly merchantId: string;
  readonly previousHash: string;
  readonly text: string;
}

const dayMs = 86_400_000;
const noHash = '0'.repeat(64);

/**
 * Verifies daily statements, given in the order of their days as `GET /recover/statements` answers
 * them (as objects, or as JSON texts): that each is what its hash says, and that each follows on the
 * one before. A change of any figure, a statement left out, put in or exchanged is refused.
 *
 * The chain shows that what was once read is still the same: keep `last`, and give it as `after` the
 * next time. Throws StatementError, whose `reason`, `day` and `action` say what is wrong.
 */
export async function verifyStatements(
  statements: readonly unknown[],
  options: VerifyStatementsOptions = {},
): Promise<VerifiedStatements> {
  const { after } = options;
  let last: StatementMark | undefined = after;
  let merchantId: string | undefined;
  let isAnchored = after !== undefined;
  for (const [index, statement] of statements.entries()) {
    const reading = read(statement);
    if (merchantId !== undefined && reading.merchantId !== merchantId) {
      throw new StatementError('other_merchant', reading.day);
    }
    merchantId = reading.merchantId;
    if ((await sha256(reading.text)) !== reading.hash) {
      throw new StatementError('wrong_hash', reading.day);
    }
    if (last !== undefined) checkFollows(last, reading);
    else if (index === 0) isAnchored = reading.previousHash === noHash;
    last = { day: reading.day, hash: reading.hash };
  }
  return { count: statements.length, ...(last === undefined ? {} : { last }), isAnchored };
}

function checkFollows(last: StatementMark, { day, previousHash }: Reading): void {
  if (Date.parse(day) - Date.parse(last.day) !== dayMs)
    throw new StatementError('day_missing', day);
  if (previousHash !== last.hash) throw new StatementError('broken_chain', day);
}

function read(given: unknown): Reading {
  const statement = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(statement)) throw new StatementError('not_a_statement');
  const { hash, ...stated } = statement;
  const { day, merchant_id: merchantId, previous_hash: previousHash } = stated;
  const text = canonicalText(stated);
  if (
    !isDay(day) ||
    typeof merchantId !== 'string' ||
    !isHash(previousHash) ||
    !isHash(hash) ||
    text === undefined
  ) {
    throw new StatementError('not_a_statement', isDay(day) ? day : undefined);
  }
  return { day, merchantId, previousHash, hash, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
