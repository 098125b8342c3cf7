import {
  type DebtReport,
  type KnownName,
  keyOf,
  namesOf,
  type ReportChannel,
} from '../../domain/debts/debt-names.ts';
import { present } from '../../domain/present.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * The names of some reports that debts have. A charge that Recoup made is a name of its debt too, and
 * stands where charges do. A debt that was joined to another one answers by that one's id.
 */
const find: Statement = {
  name: 'find_debt_names',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as i (
        merchant_id text, kind text, value text, psp text, psp_transaction_id text)
    ),
    known as (
      select d.merchant_id, d.kind, d.value, d.invoice_id, d.channel, d.mark, d.spent
      from input i
      cross join lateral (
        select * from debt_identities d
        where d.merchant_id = i.merchant_id and d.kind = i.kind and d.value = i.value
        offset 0
      ) d
      union all
      select i.merchant_id, i.kind, i.value, own.invoice_id, 'psp', null, false
      from input i
      cross join lateral (
        select t.invoice_id from psp_transactions t
        where t.merchant_id = i.merchant_id and t.psp_transaction_id = i.psp_transaction_id
          and t.psp = i.psp
        limit 1
      ) own
      where i.kind = 'charge'
    )
    select k.*, (
      select p.joined_to from payments p
      where p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id
    ) as joined_to
    from known k`,
};

interface NameRow {
  readonly merchant_id: string;
  readonly kind: KnownName['kind'];
  readonly value: string;
  readonly invoice_id: string;
  readonly joined_to: string | null;
  readonly channel: ReportChannel;
  readonly mark: string | null;
  readonly spent: boolean;
}

export async function findNames(
  db: Queryable,
  reports: readonly DebtReport[],
): Promise<readonly KnownName[]> {
  const asked = new Map(
    reports.flatMap((report) =>
      namesOf(report).map((name) => [
        `${report.merchantId} ${keyOf(name)}`,
        {
          merchant_id: report.merchantId,
          kind: name.kind,
          value: name.value,
          ...(name.kind === 'charge' && chargeColumns(name.value)),
        },
      ]),
    ),
  );
  const rows = await db.query<NameRow>(find, [JSON.stringify([...asked.values()])]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: row.kind,
    value: row.value,
    invoiceId: row.joined_to ?? row.invoice_id,
    channel: row.channel,
    isSpent: row.spent,
    ...present({ mark: row.mark ?? undefined }),
  }));
}

/** A charge's name is its PSP, a colon, and its id there. */
function chargeColumns(value: string) {
  const colon = value.indexOf(':');
  return { psp: value.slice(0, colon), psp_transaction_id: value.slice(colon + 1) };
}
