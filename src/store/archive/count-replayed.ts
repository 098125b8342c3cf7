import type { Queryable, Statement } from '../database.ts';
import type { PackedPayment } from './read-packed.ts';

const count: Statement = {
  name: 'count_archived_replays',
  text: `
    update replays r
    set archived_delivered = r.archived_delivered + w.delivered,
        archived_exhausted = r.archived_exhausted + w.exhausted
    from unnest($1::text[], $2::text[], $3::int[], $4::int[]) as w (merchant_id, replay_id, delivered, exhausted)
    where r.merchant_id = w.merchant_id and r.replay_id = w.replay_id`,
};

interface Counted {
  readonly merchantId: string;
  readonly replayId: string;
  delivered: number;
  exhausted: number;
}

/** Replays whose deliveries are packed say for good what became of those: the packed rows name no replay any more. */
export async function countReplayed(tx: Queryable, rows: readonly PackedPayment[]): Promise<void> {
  const found = new Map<string, Counted>();
  for (const { merchant_id: merchantId, replayed } of rows) {
    for (const { replay_id: replayId, state } of replayed) {
      const key = `${merchantId}/${replayId}`;
      const counted = found.get(key) ?? { merchantId, replayId, delivered: 0, exhausted: 0 };
      counted[state] += 1;
      found.set(key, counted);
    }
  }
  if (found.size === 0) return;
  const all = [...found.values()];
  await tx.query(count, [
    all.map(({ merchantId }) => merchantId),
    all.map(({ replayId }) => replayId),
    all.map(({ delivered }) => delivered),
    all.map(({ exhausted }) => exhausted),
  ]);
}
