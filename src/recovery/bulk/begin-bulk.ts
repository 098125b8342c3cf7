import type { Clock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { AskedBulk, Bulk, BulkStore } from './bulk-ports.ts';

export interface BeginBulkDeps {
  readonly bulks: Pick<BulkStore, 'begin'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Has the merchant's bulk actions worked on in the background. */
  requestBulk(input: { readonly merchantId: string; readonly bulkId: string }): Promise<void>;
}

/** Notes what is to be done to many payments and has it worked on. */
export async function beginBulk(deps: BeginBulkDeps, asked: AskedBulk): Promise<Bulk> {
  const { bulks, clock, random } = deps;
  const at = clock.now();
  const until = asked.until === undefined || asked.until > at ? at : asked.until;
  const bulkId = newId(random, 'blk');
  const { merchantId, action, reason, status, waitingFor, heldBy, from } = asked;
  const detail = present({
    bulk_id: bulkId,
    action,
    reason,
    status,
    waiting_for: waitingFor,
    held_by: heldBy,
    from: from?.toISOString(),
    until: until.toISOString(),
  });
  const audit = { action: 'payments.bulk', detail, at };
  const bulk = await bulks.begin({ bulkId, asked: { ...asked, until }, at, audit });
  if (bulk.state === 'running') await deps.requestBulk({ merchantId, bulkId });
  return bulk;
}
