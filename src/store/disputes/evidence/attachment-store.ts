import { createHash } from 'node:crypto';
import {
  type Attachment,
  type AttachmentKind,
  type AttachmentType,
  attachmentsBytes,
  maxAttachments,
} from '../../../disputes/added/attachment.ts';
import type {
  AttachmentKey,
  AttachmentStore,
  FinishOutcome,
  RemoveOutcome,
} from '../../../disputes/added/attachment-ports.ts';
import { AppError, invariant } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import { whoActs } from '../../admin/acting.ts';
import { appendAudit } from '../../admin/audit-log.ts';
import { currentDataKey } from '../../admin/secrets.ts';
import type { Database, Queryable } from '../../database.ts';
import type { Sealer, SecretPlace } from '../../sealing/sealer.ts';
import {
  abandon as abandonStatement,
  append as appendStatement,
  begin as beginStatement,
  findBySha,
  findKept,
  finish as finishStatement,
  keyOf,
  listKept,
  lockDispute,
  noteReference as noteReferenceStatement,
  readKept,
  removedReferences as removedReferencesStatement,
  removeSeen,
  removeUnseen,
  sumKept,
  wasSent,
} from './attachment-statements.ts';

interface Row {
  readonly attachment_id: string;
  readonly kind: AttachmentKind;
  readonly media_type: AttachmentType;
  readonly sealed_name: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
  readonly bytes: number;
  readonly sha256: string;
  readonly added_by: string;
  readonly created_at: Date;
  readonly psp_reference: string | null;
}

/** A file without any part has one row, whose part is null. */
interface PartRow extends Row {
  readonly number: number | null;
  readonly sealed: Buffer | null;
}

interface Deps {
  readonly db: Database;
  readonly sealer: Pick<Sealer, 'seal' | 'open' | 'openBytes'>;
}

/** Files are sealed part by part; each change and each opening has its line of the audit log. */
export function createAttachmentStore(deps: Deps): AttachmentStore {
  const { db } = deps;
  return {
    async list({ merchantId, disputeId }) {
      const rows = await db.query<Row>(listKept, [merchantId, disputeId]);
      return Promise.all(rows.map((row) => opened(deps, { merchantId, disputeId }, row)));
    },
    begin: (input) => begin(deps, input),
    append: (key, part) => append(deps, key, part),
    async finish(input) {
      const { row, kind } = await db.transaction((tx) => finish(tx, input));
      if (kind === 'full' || kind === 'erased') return { kind };
      invariant(row !== undefined, 'a file that is kept is there');
      return { kind, attachment: await opened(deps, input, row) };
    },
    abandon: async (key) => {
      await db.query(abandonStatement, keyValues(key));
    },
    read: (input) => read(deps, input),
    remove: (input) => db.transaction((tx) => remove(tx, input)),
    noteReference: async (key, reference) => {
      await db.query(noteReferenceStatement, [...keyValues(key), reference]);
    },
    async removedReferences({ merchantId, disputeId }) {
      const values = [merchantId, disputeId];
      const rows = await db.query<{ psp_reference: string }>(removedReferencesStatement, values);
      return rows.map((row) => row.psp_reference);
    },
  };
}

async function begin({ db, sealer }: Deps, input: Parameters<AttachmentStore['begin']>[0]) {
  const { merchantId, kind, mediaType, name, actor, at } = input;
  const dataKey = await currentDataKey(db, merchantId);
  invariant(dataKey !== undefined, 'a merchant has a data key');
  const sealed = await sealer.seal(placeOf(input, 'name'), dataKey, name);
  const addedBy = whoActs()?.actor ?? actor;
  const values = [kind, mediaType, sealed, dataKey.version, addedBy, at];
  await db.query(beginStatement, [...keyValues(input), ...values]);
}

async function append(
  { db, sealer }: Deps,
  key: AttachmentKey,
  { number, bytes }: Parameters<AttachmentStore['append']>[1],
): Promise<boolean> {
  const [row] = await db.query<Pick<Row, 'key_version' | 'wrapped_key'>>(keyOf, keyValues(key));
  if (row === undefined) return false;
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  const sealed = await sealer.seal(placeOf(key, number), dataKey, bytes);
  return (await db.query(appendStatement, [...keyValues(key), number, sealed])).length > 0;
}

async function finish(
  tx: Queryable,
  input: Parameters<AttachmentStore['finish']>[0],
): Promise<{ readonly kind: FinishOutcome['kind']; readonly row?: Row }> {
  const { merchantId, disputeId, attachmentId, bytes, sha256, actor, at } = input;
  await tx.query(lockDispute, [merchantId, disputeId]);
  const [known] = await tx.query<Row>(findBySha, [merchantId, disputeId, sha256]);
  if (known !== undefined) {
    await tx.query(abandonStatement, keyValues(input));
    return { kind: 'known', row: known };
  }
  const [sum] = await tx.query<{ count: number; bytes: number }>(sumKept, [merchantId, disputeId]);
  const isFull =
    sum === undefined || sum.count >= maxAttachments || sum.bytes + bytes > attachmentsBytes;
  if (isFull) return { kind: 'full' };
  const finished = await tx.query(finishStatement, [...keyValues(input), bytes, sha256, at]);
  if (finished.length === 0) return { kind: 'erased' };
  const [row] = await tx.query<Row>(findKept, keyValues(input));
  const detail = {
    dispute_id: disputeId,
    attachment_id: attachmentId,
    bytes,
    sha256: Buffer.from(sha256).toString('hex'),
    ...present({ kind: row?.kind }),
  };
  await appendAudit(tx, merchantId, { action: 'dispute.attachment_added', detail, at }, actor);
  return { kind: 'kept', ...present({ row }) };
}

async function read(deps: Deps, input: Parameters<AttachmentStore['read']>[0]) {
  const { merchantId, disputeId, attachmentId, reader, at } = input;
  const parts = await deps.db.transaction(async (tx) => {
    const rows = await tx.query<PartRow>(readKept, keyValues(input));
    if (rows.length === 0) return rows;
    const detail = { dispute_id: disputeId, attachment_id: attachmentId, reason: reader.reason };
    const entry = { action: 'dispute.attachment_read', detail, at };
    await appendAudit(tx, merchantId, entry, reader.actor);
    return rows;
  });
  const [row] = parts;
  if (row === undefined) return undefined;
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  const plain: Uint8Array[] = [];
  for (const { number, sealed } of parts) {
    if (number === null || sealed === null) continue;
    plain.push(await deps.sealer.openBytes(placeOf(input, number), dataKey, sealed));
  }
  const bytes = Buffer.concat(plain);
  // A part that is missing opens nothing else: what is left is another file.
  if (createHash('sha256').update(bytes).digest('hex') !== row.sha256) {
    throw new AppError('encryption_key_wrong', `The attachment ${attachmentId} is not whole.`);
  }
  return { attachment: await opened(deps, input, row), bytes };
}

async function remove(
  tx: Queryable,
  input: Parameters<AttachmentStore['remove']>[0],
): Promise<RemoveOutcome> {
  const { merchantId, disputeId, attachmentId, actor, at } = input;
  if ((await tx.query(wasSent, keyValues(input))).length > 0) return 'sent';
  let gone = await tx.query(removeUnseen, keyValues(input));
  if (gone.length === 0) gone = await tx.query(removeSeen, [...keyValues(input), at]);
  if (gone.length === 0) return 'not_found';
  const detail = { dispute_id: disputeId, attachment_id: attachmentId };
  await appendAudit(tx, merchantId, { action: 'dispute.attachment_removed', detail, at }, actor);
  return 'removed';
}

async function opened(
  { sealer }: Deps,
  { merchantId, disputeId }: Pick<AttachmentKey, 'merchantId' | 'disputeId'>,
  row: Row,
): Promise<Attachment> {
  const { attachment_id: attachmentId, key_version: version, wrapped_key: wrappedKey } = row;
  const place = placeOf({ merchantId, disputeId, attachmentId }, 'name');
  return {
    attachmentId,
    kind: row.kind,
    name: await sealer.open(place, { version, wrappedKey }, row.sealed_name),
    mediaType: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    addedBy: row.added_by,
    addedAt: row.created_at,
    ...present({ pspReference: row.psp_reference ?? undefined }),
  };
}

function keyValues({ merchantId, disputeId, attachmentId }: AttachmentKey): unknown[] {
  return [merchantId, disputeId, attachmentId];
}

function placeOf(
  { merchantId, disputeId, attachmentId }: AttachmentKey,
  part: 'name' | number,
): SecretPlace {
  return { merchantId, kind: 'dispute_attachment', name: `${disputeId} ${attachmentId} ${part}` };
}
