import type { Database } from '../../../src/store/database.ts';
import { whatIfResult } from '../what-ifs.ts';

/** A month on the learned policy, three models, and a backtest that is done. */
export async function seedModels(
  db: Database,
  input: { readonly merchantId: string; readonly now: Date },
): Promise<void> {
  const { merchantId, now } = input;
  await db.pool.query(
    `update merchants set policy_since = $2::timestamptz - interval '30 days',
       created_at = $2::timestamptz - interval '90 days'
     where merchant_id = $1`,
    [merchantId, now],
  );
  await db.pool.query(
    `insert into models (merchant_id, model_id, status, origin, metrics, parameters, created_at,
       activated_at, retired_at)
     select '*', id, status, origin, metrics::jsonb, '{}', $1::timestamptz - age::interval,
       case when status <> 'candidate' then $1::timestamptz - age::interval end,
       case when status = 'retired' then $1::timestamptz end
     from (values
       ('model-may', 'retired', 'trained', $2, '60 days'),
       ('mod_4t8w', 'retired', 'trained', $2, '9 days'),
       ('mod_9k2m', 'candidate', 'trained', $3, '1 day')) as m (id, status, origin, metrics, age)`,
    [
      now,
      metrics(
        'Promoted: log loss 0.41 against 0.44 of prior-3 on 1040 held-out tries.',
        0.41,
        0.44,
      ),
      metrics(
        'Kept as a candidate, since it predicts no better: log loss 0.43 against 0.41 of mod_4t8w on 1040 held-out tries.',
        0.43,
        0.41,
      ),
    ],
  );
  await db.pool.query(
    `insert into what_ifs (what_if_id, merchant_id, policy, window_days, max_attempts, fixed_days,
       state, charges, result, requested_at, updated_at, completed_at)
     values ('wif_1', $1, 'learned', 14, 4, '{}', 'done', 900, $2::jsonb, $3, $3, $3)`,
    [
      merchantId,
      JSON.stringify({ ...whatIfResult, payment: whatIfResult.nextTry, isTrained: true }),
      now,
    ],
  );
}

function metrics(verdict: string, loss: number, present: number): string {
  const quality = (logLoss: number) => ({
    tries: 1_040,
    log_loss: logLoss,
    auc: 0.781,
    calibration_error: 0.021,
    decision_value: 0.314,
  });
  return JSON.stringify({
    tries: 5_200,
    promoted: loss < present,
    verdict,
    held_out: quality(loss),
    present: { model_id: 'prior-3', ...quality(present) },
  });
}
