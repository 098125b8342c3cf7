import type { Json, JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Page } from '../../recovery/api.ts';
import type { AuditLine, ListAudit } from '../../recovery/reports/audit-views.ts';
import type { Queryable, Statement } from '../database.ts';
import { cursorRefused, pageOf, placeOf } from '../page-cursor.ts';

/**
 * Newest first, over one chain or all of them: each gives its newest lines from its own index. An act
 * that ends in a dot stands for all that begin with it.
 */
const list: Statement = {
  name: 'list_audit_log',
  text: `
    select a.* from audit_heads h
    cross join lateral (
      select l.merchant_id, l.line, l.at, l.actor, l.address, l.action, l.detail, l.old_value,
        l.new_value, encode(l.hash, 'hex') as hash
      from audit_log l
      where l.merchant_id = h.merchant_id
        and ($5::text is null or l.actor = $5)
        and ($6::text is null or l.action = $6
             or (right($6, 1) = '.' and starts_with(l.action, $6)))
        and l.at >= coalesce($7, '-infinity'::timestamptz)
        and l.at < coalesce($8, 'infinity'::timestamptz)
        and l.at <= coalesce($2, 'infinity'::timestamptz)
        and ($2::timestamptz is null or (l.at, l.merchant_id, l.line) < ($2, $3, $4::bigint))
      order by l.at desc, l.line desc
      limit $9
    ) a
    where $1::text[] is null or h.merchant_id = any($1)
    order by a.at desc, a.merchant_id desc, a.line desc
    limit $9`,
};

interface AuditRow {
  readonly merchant_id: string;
  readonly line: number;
  readonly at: Date;
  readonly actor: string;
  readonly address: string | null;
  readonly action: string;
  readonly detail: JsonObject;
  readonly old_value: Json | null;
  readonly new_value: Json | null;
  readonly hash: string;
}

/** @throws AppError invalid_request for a cursor of another list */
export async function listAudit(db: Queryable, input: ListAudit): Promise<Page<AuditLine>> {
  const { chains, actor, action, from, to, limit } = input;
  const [at, chain, line] = placeOf(input.cursor, 2);
  if (typeof line === 'string' && !/^[1-9]\d{0,14}$/.test(line)) throw cursorRefused();
  const values = [chains, at, chain, line, actor, action, from, to, limit + 1];
  const rows = await db.query<AuditRow>(list, values);
  return pageOf(rows, limit, {
    item: toLine,
    keys: (row) => [row.at.toISOString(), row.merchant_id, String(row.line)],
  });
}

function toLine(row: AuditRow): AuditLine {
  return present({
    chain: row.merchant_id,
    line: row.line,
    at: row.at,
    actor: row.actor,
    address: row.address ?? undefined,
    action: row.action,
    detail: row.detail,
    before: row.old_value ?? undefined,
    after: row.new_value ?? undefined,
    hash: row.hash,
  });
}
