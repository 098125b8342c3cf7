import type { AddedEvidenceStore, DisputeKey } from '../../../disputes/added/added-ports.ts';
import type { AttachmentStore } from '../../../disputes/added/attachment-ports.ts';
import { charactersIn } from '../../../disputes/added/rebuttal.ts';
import { invariant } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import { appendAudit } from '../../admin/audit-log.ts';
import { currentDataKey } from '../../admin/secrets.ts';
import type { Database, Statement } from '../../database.ts';
import type { Sealer, SecretPlace } from '../../sealing/sealer.ts';

const write: Statement = {
  name: 'write_dispute_rebuttal',
  text: `
    with known as materialized (
      select merchant_id, dispute_id from disputes where merchant_id = $1 and dispute_id = $2
    ),
    written as (
      insert into dispute_rebuttals (merchant_id, dispute_id, sealed, key_version, updated_at)
      select merchant_id, dispute_id, $3::bytea, $4::integer, $5::timestamptz from known
      on conflict (merchant_id, dispute_id) do update set
        sealed = excluded.sealed, key_version = excluded.key_version, updated_at = excluded.updated_at
      returning dispute_id
    )
    select 1 from written`,
};

const remove: Statement = {
  name: 'remove_dispute_rebuttal',
  text: `
    delete from dispute_rebuttals where merchant_id = $1 and dispute_id = $2
    returning 1`,
};

const find: Statement = {
  name: 'find_dispute_rebuttal',
  text: `
    select r.sealed, r.key_version, k.wrapped_key
    from dispute_rebuttals r
    join data_keys k on k.merchant_id = r.merchant_id and k.version = r.key_version
    where r.merchant_id = $1 and r.dispute_id = $2`,
};

interface RebuttalRow {
  readonly sealed: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

interface Deps {
  readonly db: Database;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
}

/** Rebuttals are sealed; each change and each opening is one transaction with its line of the audit log. */
export function createAddedStore(
  deps: Deps & { readonly attachments: Pick<AttachmentStore, 'list'> },
): AddedEvidenceStore {
  const { attachments } = deps;
  return {
    async open(input) {
      const rebuttal = await openRebuttal(deps, input);
      return { ...present({ rebuttal }), attachments: await attachments.list(input) };
    },
    writeRebuttal: (input) =>
      input.text === '' ? removeRebuttal(deps, input) : keepRebuttal(deps, input),
  };
}

async function openRebuttal(
  { db, sealer }: Deps,
  { merchantId, disputeId, reader, at }: Parameters<AddedEvidenceStore['open']>[0],
): Promise<string | undefined> {
  const row = await db.transaction(async (tx) => {
    const [found] = await tx.query<RebuttalRow>(find, [merchantId, disputeId]);
    if (found === undefined) return undefined;
    const detail = { dispute_id: disputeId, reason: reader.reason };
    await appendAudit(
      tx,
      merchantId,
      { action: 'dispute.rebuttal_read', detail, at },
      reader.actor,
    );
    return found;
  });
  if (row === undefined) return undefined;
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  return sealer.open(placeOf({ merchantId, disputeId }), dataKey, row.sealed);
}

type Writing = Parameters<AddedEvidenceStore['writeRebuttal']>[0];

async function keepRebuttal({ db, sealer }: Deps, input: Writing): Promise<boolean> {
  const { merchantId, disputeId, text, actor, at } = input;
  const dataKey = await currentDataKey(db, merchantId);
  invariant(dataKey !== undefined, 'a merchant has a data key');
  const sealed = await sealer.seal(placeOf(input), dataKey, text);
  return db.transaction(async (tx) => {
    const rows = await tx.query(write, [merchantId, disputeId, sealed, dataKey.version, at]);
    if (rows.length === 0) return false;
    const detail = { dispute_id: disputeId, characters: charactersIn(text) };
    await appendAudit(tx, merchantId, { action: 'dispute.rebuttal_written', detail, at }, actor);
    return true;
  });
}

/** That there is none to remove is no fault: the dispute was asked for before. */
async function removeRebuttal({ db }: Deps, input: Writing): Promise<true> {
  const { merchantId, disputeId, actor, at } = input;
  await db.transaction(async (tx) => {
    const rows = await tx.query(remove, [merchantId, disputeId]);
    if (rows.length === 0) return;
    const detail = { dispute_id: disputeId };
    await appendAudit(tx, merchantId, { action: 'dispute.rebuttal_removed', detail, at }, actor);
  });
  return true;
}

function placeOf({ merchantId, disputeId }: DisputeKey): SecretPlace {
  return { merchantId, kind: 'dispute_rebuttal', name: disputeId };
}
