import { addMs } from '../../domain/clock.ts';
import { busyCards, cardsNearLimit, limitsJson } from '../cards/cards-near-limit.ts';
import type { Database, Statement } from '../database.ts';

/** Only where the last count is older than `$1`; who comes meanwhile waits, and finds it new. */
const lockOld: Statement = {
  name: 'lock_old_card_limits',
  text: `
    select from rollup_progress where name = 'card_limits' and through_at < $1 for update`,
};

const clears: readonly Statement[] = [
  { name: 'clear_card_limits', text: 'delete from card_limit_rollups' },
  { name: 'clear_busy_cards', text: 'delete from busy_cards' },
];

const count: Statement = {
  name: 'count_card_limits',
  text: `
    with ${busyCards},
    ${cardsNearLimit},
    kept as (insert into busy_cards (merchant_id, card_key) select merchant_id, card_key from busy),
    summed as materialized (
      select merchant_id, network, count(distinct card_key) as near,
             count(distinct card_key) filter (where tries >= most) as spent
      from near
      group by 1, 2
    ),
    written as (
      insert into card_limit_rollups (merchant_id, network, near, spent)
      select merchant_id, network, near, spent from summed
    )
    select 1`,
};

const keep: Statement = {
  name: 'keep_card_limits',
  text: "update rollup_progress set through_at = $1 where name = 'card_limits'",
};

/**
 * Counts the cards near a network's limit anew, where the last count is older than `oldestMs`. All at
 * once, unlike the other sums: what lies 30 days back leaves the window without any change. The busy ones
 * are kept, for the list of those near a limit.
 */
export async function countCardLimits(
  db: Database,
  input: { readonly at: Date; readonly oldestMs: number },
): Promise<void> {
  const { at, oldestMs } = input;
  await db.transaction(async (tx) => {
    if ((await tx.query(lockOld, [addMs(at, -oldestMs)])).length === 0) return;
    for (const clear of clears) await tx.query(clear, []);
    await tx.query(count, [null, at, limitsJson(at)]);
    await tx.query(keep, [at]);
  });
}
