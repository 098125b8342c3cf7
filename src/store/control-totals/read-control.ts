import type {
  ControlDifference,
  ControlReport,
} from '../../recovery/accounting/accounting-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { sumColumns } from './judge-totals.ts';

/** Differences that a report shows one by one. */
const maxShown = 100;

const counts: Statement = {
  name: 'count_control_differences',
  text: `
    select (select nullif(through_at, '-infinity') from control_progress) as through_at,
           count(*) filter (where psp <> '')::int as money,
           count(*) filter (where psp = '')::int as events
    from control_differences`,
};

const list: Statement = {
  name: 'list_control_differences',
  text: `
    select d.merchant_id, d.day::text, d.psp, d.connection_version, d.currency, d.found_at, s.*
    from control_differences d
    cross join lateral (
      select ${sumColumns} from control_totals t
      where t.merchant_id = d.merchant_id and t.day = d.day and t.psp = d.psp
        and t.connection_version = d.connection_version and t.currency = d.currency
    ) s
    order by d.day desc, d.merchant_id, d.psp, d.connection_version, d.currency
    limit ${maxShown}`,
};

interface DifferenceRow {
  readonly merchant_id: string;
  readonly day: string;
  readonly psp: string;
  readonly connection_version: number;
  readonly currency: string;
  readonly found_at: Date;
  /** Sums of bigint are numeric, which comes as text. */
  readonly charged_items: string;
  readonly charged_minor: string;
  readonly recovered_items: string;
  readonly recovered_minor: string;
  readonly announced_items: string;
  readonly announced_minor: string;
  readonly created_items: string;
  readonly delivered_items: string;
  readonly pending_items: string;
  readonly exhausted_items: string;
}

/** What the totals say as they were last counted. */
export async function readControl(db: Queryable): Promise<ControlReport> {
  const [count] = await db.query<{ through_at: Date | null; money: number; events: number }>(
    counts,
    [],
  );
  const rows = await db.query<DifferenceRow>(list, []);
  const through = count?.through_at;
  return {
    ...(through instanceof Date && { countedThrough: through }),
    differences: rows.map(toDifference),
    moneyDiffers: count?.money ?? 0,
    eventsDiffer: count?.events ?? 0,
  };
}

function toDifference(row: DifferenceRow): ControlDifference {
  const sum = (count: string, amountMinor: string) => ({
    count: Number(count),
    amountMinor: Number(amountMinor),
  });
  return {
    merchantId: row.merchant_id,
    day: row.day,
    ...(row.psp !== '' && {
      psp: row.psp,
      connectionVersion: row.connection_version,
      currency: row.currency,
    }),
    charged: sum(row.charged_items, row.charged_minor),
    recovered: sum(row.recovered_items, row.recovered_minor),
    announced: sum(row.announced_items, row.announced_minor),
    eventsCreated: Number(row.created_items),
    eventsDelivered: Number(row.delivered_items),
    eventsPending: Number(row.pending_items),
    eventsExhausted: Number(row.exhausted_items),
    foundAt: row.found_at,
  };
}
