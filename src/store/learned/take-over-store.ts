import { present } from '../../domain/present.ts';
import type { TakeOverGroup, TakeOverStep } from '../../policy/learned/steps/take-over.ts';
import type { SteppingMerchant, TakeOverStore } from '../../recovery/learned/take-over-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { segmentOf } from './segment-of.ts';
import { endedFacts, groupSums, segmentSteps } from './segment-steps-store.ts';

const stepping: Statement = {
  name: 'list_stepping_merchants',
  text: `
    select merchant_id, learned_step, learned_since, window_days, learned_failed_trials, learned_failed_use
    from merchants where policy_kind = 'learned' and learned_share is null
      ${unlessMoved('merchants')}
    order by merchant_id`,
};

interface SteppingRow {
  readonly merchant_id: string;
  readonly learned_step: TakeOverStep;
  readonly learned_since: Date | null;
  readonly window_days: number;
  readonly learned_failed_trials: number;
  readonly learned_failed_use: string | null;
}

const sum: Statement = {
  name: 'sum_take_over_groups',
  text: `
    with facts as (
      select ${endedFacts}
      from payments p
      where p.merchant_id = $1 and p.failed_at >= $2 and p.failed_at < $3
        and not exists (
          select from learned_segments g
          where g.merchant_id = p.merchant_id and g.segment = ${segmentOf('p')})
    )
    select ${groupSums} from facts group by grp order by grp`,
};

/** Another step begins the comparison anew. */
const keep: Statement = {
  name: 'keep_take_over_step',
  text: `
    update merchants
    set learned_step = $3, learned_reason = $4,
        learned_failed_trials = $6, learned_failed_use = coalesce($7, learned_failed_use),
        learned_since = case when learned_step = $3 and learned_since is not null
                             then learned_since else $5 end
    where merchant_id = $1 and learned_step = $2 and learned_share is null
      and policy_kind = 'learned'
    returning merchant_id`,
};

export function createTakeOverStore(db: Database): TakeOverStore {
  return {
    async listStepping() {
      const rows = await db.query<SteppingRow>(stepping, []);
      return rows.map(
        (row): SteppingMerchant =>
          present({
            merchantId: row.merchant_id,
            step: row.learned_step,
            since: row.learned_since ?? undefined,
            windowDays: row.window_days,
            failedTrials: row.learned_failed_trials,
            failedUse: row.learned_failed_use ?? undefined,
          }),
      );
    },
    ...segmentSteps(db),
    sumGroups: (merchantId, from, until) => db.query<TakeOverGroup>(sum, [merchantId, from, until]),
    keepStep: ({ merchantId, from, to, message, failedTrials, failedUse, at }) =>
      db.transaction(async (tx) => {
        const said = message.slice(0, 500);
        const rows = await tx.query(keep, [
          merchantId,
          from,
          to,
          said,
          at,
          failedTrials,
          failedUse,
        ]);
        if (rows.length > 0 && from !== to) {
          const detail = { from, to, message };
          await appendAudit(
            tx,
            merchantId,
            {
              action: 'merchant.learned_share',
              detail,
              before: { step: from },
              after: { step: to },
              at,
            },
            'training',
          );
        }
        return rows.length > 0;
      }),
  };
}
