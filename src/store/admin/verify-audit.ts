import { createHash } from 'node:crypto';
import type { AuditHead, AuditVerdict, BrokenLine } from '../../recovery/reports/audit-views.ts';
import type { Queryable, Statement } from '../database.ts';

const pageLines = 2_000;

const heads: Statement = {
  name: 'read_audit_heads',
  text: `
    select merchant_id as chain, line, encode(hash, 'hex') as hash from audit_heads
    where $1::text is null or merchant_id = $1
    order by merchant_id`,
};

/** Chains whose head was taken away. */
const headless: Statement = {
  name: 'find_headless_audit_chains',
  text: `
    select distinct merchant_id as chain from audit_log l
    where ($1::text is null or merchant_id = $1)
      and not exists (select from audit_heads h where h.merchant_id = l.merchant_id)
    order by 1`,
};

/**
 * Lines that no walk to the head comes by: whoever reads the list would take them for lines of the chain. In one
 * statement with the heads, which move meanwhile.
 */
const beside: Statement = {
  name: 'find_audit_lines_beside_chains',
  text: `
    select l.merchant_id as chain, min(l.line) as line
    from audit_heads h join audit_log l on l.merchant_id = h.merchant_id
    where ($1::text is null or h.merchant_id = $1) and (l.line > h.line or l.line < 1)
    group by l.merchant_id
    order by 1`,
};

/** What a line's hash is of, written here and not asked of the function that wrote it. */
const page: Statement = {
  name: 'read_audit_chain',
  text: `
    select line, encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash,
      jsonb_build_array(merchant_id, line, (extract(epoch from at) * 1000000)::bigint, actor,
        address, action, detail, old_value, new_value)::text as content
    from audit_log where merchant_id = $1 and line > $2 and line <= $3
    order by line limit $4`,
};

interface LinkRow {
  readonly line: number;
  readonly previous_hash: string;
  readonly hash: string;
  readonly content: string;
}

const noHash = '00'.repeat(32);

/**
 * Reads every line up to the heads of now and computes its hash anew. `known` are heads of an earlier
 * verdict: each must still be the hash of its line, where its chain is looked at.
 */
export async function verifyAudit(
  db: Queryable,
  input: { readonly merchantId?: string; readonly known?: readonly AuditHead[] },
): Promise<AuditVerdict> {
  const found = await db.query<AuditHead>(heads, [input.merchantId]);
  const broken: BrokenLine[] = [];
  let lines = 0;
  for (const head of found) {
    const known = (input.known ?? []).filter(({ chain }) => chain === head.chain);
    const walked = await walk(db, head, known);
    lines += walked.lines;
    if (walked.broken !== undefined) broken.push(walked.broken);
  }
  const add = (each: BrokenLine) => {
    if (broken.every(({ chain }) => chain !== each.chain)) broken.push(each);
  };
  for (const { chain, line } of await db.query<Omit<AuditHead, 'hash'>>(beside, [
    input.merchantId,
  ])) {
    add({ chain, line, because: 'it is no line of the chain, which ends elsewhere' });
  }
  for (const { chain } of await db.query<{ chain: string }>(headless, [input.merchantId])) {
    add({ chain, line: 1, because: 'the head of its chain is missing' });
  }
  for (const { chain, line } of input.known ?? []) {
    const isLookedAt = input.merchantId === undefined || input.merchantId === chain;
    if (!isLookedAt || found.some((head) => head.chain === chain)) continue;
    add({ chain, line, because: 'it is missing, and its whole chain' });
  }
  return { lines, heads: found, broken };
}

async function walk(
  db: Queryable,
  head: AuditHead,
  known: readonly AuditHead[],
): Promise<{ readonly lines: number; readonly broken?: BrokenLine }> {
  const { chain } = head;
  let line = 0;
  let hash = noHash;
  for (;;) {
    const rows = await db.query<LinkRow>(page, [chain, line, head.line, pageLines]);
    for (const row of rows) {
      const because = faultOf(row, { line: line + 1, hash }, known);
      if (because !== undefined) {
        return { lines: line, broken: { chain, line: line + 1, because } };
      }
      ({ line, hash } = row);
    }
    if (rows.length < pageLines) break;
  }
  if (line < head.line) {
    const because = `it is missing, and the chain goes to ${head.line}`;
    return { lines: line, broken: { chain, line: line + 1, because } };
  }
  if (hash !== head.hash) {
    return { lines: line, broken: { chain, line, because: 'the head has another hash' } };
  }
  const lost = known.find((each) => each.line > line);
  if (lost === undefined) return { lines: line };
  const because = `it is missing: the chain went to ${lost.line} before`;
  return { lines: line, broken: { chain, line: line + 1, because } };
}

function faultOf(
  row: LinkRow,
  expected: { readonly line: number; readonly hash: string },
  known: readonly AuditHead[],
): string | undefined {
  if (row.line !== expected.line) return 'it is missing';
  if (row.previous_hash !== expected.hash) return 'it does not follow the line before';
  const content = createHash('sha256').update(Buffer.from(row.previous_hash, 'hex'));
  if (content.update(row.content).digest('hex') !== row.hash) return 'it was changed';
  const before = known.find(({ line }) => line === row.line);
  return before !== undefined && before.hash !== row.hash
    ? 'it has another hash than was noted before'
    : undefined;
}
