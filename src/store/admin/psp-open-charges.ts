import type { Psp } from '../../domain/psps.ts';
import type { OpenCharges } from '../../recovery/operator-api.ts';
import type { Queryable, Statement } from '../database.ts';

/** By merchant through the index of charges in flight, which holds few rows at any time. */
const open: Statement = {
  name: 'count_open_charges',
  text: `
    select psp, connection_version, currency, count(*)::int as charges,
           sum(amount_minor)::bigint as amount_minor, min(sent_at) as oldest_sent_at
    from psp_transactions
    where merchant_id = $1 and state in ('sending', 'unknown')
    group by psp, connection_version, currency
    order by psp, connection_version, currency collate "C"`,
};

interface OpenRow {
  readonly psp: Psp;
  readonly connection_version: number;
  readonly currency: string;
  readonly charges: number;
  readonly amount_minor: number;
  readonly oldest_sent_at: Date;
}

/** What may still have been paid through each account, by `accountKey`. */
export async function readOpenCharges(
  db: Queryable,
  merchantId: string,
): Promise<ReadonlyMap<string, OpenCharges>> {
  const rows = await db.query<OpenRow>(open, [merchantId]);
  const byAccount = Map.groupBy(rows, (row) => accountKey(row.psp, row.connection_version));
  return new Map(Array.from(byAccount, ([key, group]) => [key, toOpenCharges(group)]));
}

export function accountKey(psp: Psp, version: number): string {
  return `${psp} ${version}`;
}

function toOpenCharges(rows: readonly OpenRow[]): OpenCharges {
  const oldestMs = Math.min(...rows.map((row) => row.oldest_sent_at.getTime()));
  return {
    count: rows.reduce((sum, row) => sum + row.charges, 0),
    amounts: rows.map((row) => ({ amountMinor: row.amount_minor, currency: row.currency })),
    oldestSentAt: new Date(oldestMs),
  };
}
