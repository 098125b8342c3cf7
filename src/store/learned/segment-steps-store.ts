import { present } from '../../domain/present.ts';
import type { TakeOverGroup, TakeOverStep } from '../../policy/learned/steps/take-over.ts';
import type { SteppingSegment, TakeOverStore } from '../../recovery/learned/take-over-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Statement } from '../database.ts';
import { armOf } from '../reports/assignment.ts';
import { isCounted } from '../rollups/payment-dimensions.ts';
import { segmentOf } from './segment-of.ts';

/** Groups of payers that are summed, and later resampled: as in the uplift report. */
const groupCount = 256;

/** Of a payment `p`: its payer's group, its arm, none where another one of its debt counts, and whether it was paid. */
export const endedFacts = `
  hashtextextended(p.merchant_id || '/' || p.customer_id, 0) & ${groupCount - 1} as grp,
  case when ${isCounted('p')} then ${armOf('p')} end as arm,
  (p.state = 'recovered' or p.state = 'stopped' and p.stop_reason = 'recovered_elsewhere')::int as paid`;

/** The columns of `TakeOverGroup`, over such facts. */
export const groupSums = `
  count(*) filter (where arm = 'learned')::int as learned,
  coalesce(sum(paid) filter (where arm = 'learned'), 0)::int as "learnedPaid",
  count(*) filter (where arm = 'holdout')::int as scheduled,
  coalesce(sum(paid) filter (where arm = 'holdout'), 0)::int as "scheduledPaid"`;

const list: Statement = {
  name: 'list_learned_segments',
  text: `
    select segment, step, since, failed_trials, failed_use from learned_segments
    where merchant_id = $1 order by segment`,
};

interface SegmentRow {
  readonly segment: string;
  readonly step: TakeOverStep;
  readonly since: Date;
  readonly failed_trials: number;
  readonly failed_use: string | null;
}

const sum: Statement = {
  name: 'sum_segment_groups',
  text: `
    with named as (
      select p.*, ${segmentOf('p')} as segment
      from payments p
      where p.merchant_id = $1 and p.failed_at < $3
        and p.failed_at >= least($2, (select min(since) from learned_segments where merchant_id = $1))
    ), facts as (
      select p.segment, ${endedFacts}
      from named p left join learned_segments g using (merchant_id, segment)
      where p.segment is not null and p.failed_at >= coalesce(g.since, $2)
    ), sized as (
      select segment from facts group by segment
      having count(*) filter (where arm = 'learned') >= $4
         and count(*) filter (where arm = 'holdout') >= $4
      order by count(*) desc, segment limit $5
    )
    select segment, ${groupSums}
    from facts join sized using (segment) group by segment, grp order by segment, grp`,
};

const begin: Statement = {
  name: 'begin_segment_step',
  text: `
    insert into learned_segments
      (merchant_id, segment, step, since, reason, failed_trials, failed_use)
    select $1, $2, $3, $4, $5, $6, $7 from merchants
    where merchant_id = $1 and learned_share is null and policy_kind = 'learned'
    on conflict do nothing returning segment`,
};

/** Another step begins the comparison anew. */
const keep: Statement = {
  name: 'keep_segment_step',
  text: `
    update learned_segments
    set step = $3, reason = $5, failed_trials = $6, failed_use = $7,
        since = case when step = $3 then since else $4 end
    where merchant_id = $1 and segment = $2 and step = $8 returning segment`,
};

const shares: Statement = {
  name: 'read_segment_shares',
  text: `
    select g.merchant_id, json_object_agg(g.segment, g.step) as shares
    from learned_segments g join merchants m using (merchant_id)
    where m.policy_kind = 'learned' and m.learned_share is null
    group by g.merchant_id`,
};

interface SharesRow {
  readonly merchant_id: string;
  readonly shares: Readonly<Record<string, number>>;
}

const forget: Statement = {
  name: 'forget_learned_segments',
  text: 'delete from learned_segments where merchant_id = $1 returning segment',
};

const action = 'merchant.segment_learned_share';
const by = 'training';

/** What the take-over by steps keeps of merchants' segments. */
export function segmentSteps(
  db: Database,
): Pick<
  TakeOverStore,
  'listSegments' | 'sumSegments' | 'keepSegment' | 'readSegmentShares' | 'forgetSegments'
> {
  return {
    async listSegments(merchantId) {
      const rows = await db.query<SegmentRow>(list, [merchantId]);
      return rows.map(
        ({ segment, step, since, failed_trials, failed_use }): SteppingSegment =>
          present({
            segment,
            step,
            since,
            failedTrials: failed_trials,
            failedUse: failed_use ?? undefined,
          }),
      );
    },
    async sumSegments({ merchantId, from, until, minPayments, most }) {
      const rows = await db.query<TakeOverGroup & { readonly segment: string }>(sum, [
        merchantId,
        from,
        until,
        minPayments,
        most,
      ]);
      return Map.groupBy(rows, ({ segment }) => segment);
    },
    keepSegment: ({ merchantId, segment, from, to, message, failedTrials, failedUse, at }) =>
      db.transaction(async (tx) => {
        const values = [merchantId, segment, to, at, message.slice(0, 500), failedTrials];
        const rows = await (from === undefined
          ? tx.query(begin, [...values, failedUse])
          : tx.query(keep, [...values, failedUse, from]));
        if (rows.length === 0) return false;
        if (from !== to) {
          const before = present({ segment, step: from });
          const entry = {
            action,
            detail: { segment, message },
            before,
            after: { segment, step: to },
            at,
          };
          await appendAudit(tx, merchantId, entry, by);
        }
        return true;
      }),
    async readSegmentShares() {
      const rows = await db.query<SharesRow>(shares, []);
      return new Map(rows.map((row) => [row.merchant_id, row.shares]));
    },
    forgetSegments: (merchantId, at) =>
      db.transaction(async (tx) => {
        const rows = await tx.query<{ readonly segment: string }>(forget, [merchantId]);
        if (rows.length === 0) return;
        const segments = rows.map(({ segment }) => segment).sort();
        const message =
          'No model is trained from own tries, or none is trusted: all follow their merchant.';
        await appendAudit(tx, merchantId, { action, detail: { segments, message }, at }, by);
      }),
  };
}
