import { commonDeclineCodes } from '../../domain/declines/decline-codes.ts';
import type { HealthCounters } from '../../policy/learned/retry-facts.ts';
import type { HealthByBin } from '../../recovery/learned/ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** Response codes that tell of no answer from the issuer. */
const technicalCodes = Object.entries(commonDeclineCodes).flatMap(([code, { category }]) =>
  category === 'technical' ? [code] : [],
);

/** Ours and reported charges of the last hours: the newest blocks of a table that grows by time. */
const read: Statement = {
  name: 'read_issuer_health',
  text: `
    select a.merchant_id, m.bin, count(*)::int as charges, max(a.at) as last_at,
      count(*) filter (where a.network_code = any($4))::int as technical
    from card_histories a
    join payment_methods m using (merchant_id, payment_method_id)
    where a.merchant_id = any($1) and a.at > $2 and a.at <= $3 and a.outcome <> 'sent'
      and m.bin is not null
    group by 1, 2`,
};

interface HealthRow {
  readonly merchant_id: string;
  readonly bin: string;
  readonly charges: number;
  readonly technical: number;
  readonly last_at: Date;
}

/** How the charges of each BIN ended, by merchant. */
export async function readIssuerHealth(
  db: Queryable,
  merchantIds: readonly string[],
  from: Date,
  at: Date,
): Promise<ReadonlyMap<string, HealthByBin>> {
  const rows = await db.query<HealthRow>(read, [merchantIds, from, at, technicalCodes]);
  const health = new Map<string, Map<string, HealthCounters>>();
  for (const { merchant_id, bin, charges, technical, last_at } of rows) {
    const ofMerchant = health.get(merchant_id) ?? new Map<string, HealthCounters>();
    ofMerchant.set(bin, { charges, technical, lastAtMs: last_at.getTime() });
    health.set(merchant_id, ofMerchant);
  }
  return health;
}
