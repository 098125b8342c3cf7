import { attachmentPspName } from '../../../disputes/added/attachment.ts';
import {
  attachmentsThatGo,
  type PlacedAttachment,
} from '../../../disputes/evidence/renderers/attachment-places.ts';
import { type EvidenceFile, fileGone, fileOf } from '../../../disputes/submission/evidence-file.ts';
import type {
  EvidenceRequest,
  EvidenceResult,
} from '../../../disputes/submission/evidence-gateway.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../../answer-fields.ts';
import type { BraintreeClient } from '../client.ts';
import { codesIn, disputeIn, general, resultOf, tooLate, unfitCodes } from '../dispute-answers.ts';
import { type FileReference, readReference, writeReference } from './file-reference.ts';

/** A file that lies beside a dispute. Braintree says neither which document it was nor what it is called. */
interface FilePiece {
  readonly id: string;
  readonly category: string | undefined;
  readonly createdAt: string;
}

/** The files beside a dispute, and those of them that are known to be ours. */
interface Pieces {
  readonly there: FilePiece[];
  readonly ours: Set<string>;
}

/**
 * Uploads the files of a packet and adds each to the dispute, once: a document is kept by its id before it is added,
 * and what its adding came to is found out by what lies there where nobody noted it. What was taken away here is
 * removed there. Source: Braintree, Document Upload: Create, Dispute: Add File Evidence, Remove Evidence.
 */
export async function stageFiles(
  client: BraintreeClient,
  request: EvidenceRequest,
  { dispute, deadline }: { readonly dispute: unknown; readonly deadline: AbortSignal },
): Promise<EvidenceResult> {
  const { files = [], removedFiles = [], packet } = request;
  const removed = removedFiles.map(readReference);
  const kept = files.map(({ reference }) => readReference(reference));
  const pieces: Pieces = {
    there: filePiecesIn(dispute),
    ours: new Set([...removed, ...kept].flatMap(({ evidenceId }) => evidenceId ?? [])),
  };
  const gone = await removeFiles(client, request, { removed, pieces });
  if (gone !== undefined) return gone;
  for (const placed of attachmentsThatGo(packet.content)) {
    if (deadline.aborted) return tooLate;
    const result = await stageFile(client, request, { placed, pieces });
    if (result.kind !== 'done') return result;
  }
  return { kind: 'done' };
}

async function stageFile(
  client: BraintreeClient,
  { pspDisputeId, files }: EvidenceRequest,
  { placed, pieces }: { readonly placed: PlacedAttachment; readonly pieces: Pieces },
): Promise<EvidenceResult> {
  const { attachment, field, number } = placed;
  const file = fileOf(files, attachment);
  if (file === undefined) return { kind: 'failed', reason: fileGone };
  const reference = readReference(file.reference);
  const lies = pieceOf(reference, pieces);
  if (lies !== undefined) {
    // It was added, and whoever added it died before it was noted.
    if (reference.evidenceId === undefined) await noteAdded(file, reference.documentId, lies.id);
    return { kind: 'done' };
  }
  const name = attachmentPspName(attachment, number);
  const uploaded = await documentOf(client, { file, reference, name });
  if (uploaded.kind !== 'done') return uploaded;
  const { documentId } = uploaded;
  return addFile(client, { pspDisputeId, file, documentId, category: field, pieces, name });
}

async function documentOf(
  client: BraintreeClient,
  given: {
    readonly file: EvidenceFile;
    readonly reference: FileReference;
    readonly name: string;
  },
): Promise<
  { readonly kind: 'done'; readonly documentId: string } | Exclude<EvidenceResult, { kind: 'done' }>
> {
  const { file, reference, name } = given;
  if (reference.documentId !== '') return { kind: 'done', documentId: reference.documentId };
  const bytes = await file.bytes();
  if (bytes === undefined) return { kind: 'failed', reason: fileGone };
  const sent = await client.uploadDocument(bytes, name);
  const result = resultOf(sent, name);
  if (result.kind !== 'done') return result;
  const documentId = idIn(sent, 'documentUpload');
  if (documentId === undefined) {
    return { kind: 'failed', reason: `${name}: the uploaded file has no id` };
  }
  await file.keep(writeReference({ documentId }));
  return { kind: 'done', documentId };
}

/** How many of its category lie there is noted before, so that what lies there tells afterwards whether it came. */
async function addFile(
  client: BraintreeClient,
  given: {
    readonly pspDisputeId: string;
    readonly file: EvidenceFile;
    readonly documentId: string;
    readonly category: string;
    readonly pieces: Pieces;
    readonly name: string;
  },
): Promise<EvidenceResult> {
  const { pspDisputeId, file, documentId, category, pieces, name } = given;
  const others = othersIn(pieces, category).length;
  await file.keep(writeReference({ documentId, adding: { category, others } }));
  const sent = await client.addFileEvidence(pspDisputeId, { documentId, category });
  const result = resultOf(sent, name);
  if (result.kind !== 'done') {
    // It is certain that it does not lie there.
    if (result.kind === 'failed') await file.keep(writeReference({ documentId }));
    const isUnfit = category !== general && codesIn(sent).some((code) => unfitCodes.has(code));
    return isUnfit ? addFile(client, { ...given, category: general }) : result;
  }
  const evidenceId = idIn(sent, 'evidence');
  if (evidenceId === undefined) {
    return { kind: 'failed', reason: `${name}: the added file has no id` };
  }
  pieces.there.push({ id: evidenceId, category, createdAt: '' });
  pieces.ours.add(evidenceId);
  await noteAdded(file, documentId, evidenceId);
  return result;
}

async function noteAdded(
  file: EvidenceFile,
  documentId: string,
  evidenceId: string,
): Promise<void> {
  await file.keep(writeReference({ documentId, evidenceId }));
}

/** What lies there of a file that was added, or that was being added; its finding makes it ours. */
function pieceOf({ evidenceId, adding }: FileReference, pieces: Pieces): FilePiece | undefined {
  if (evidenceId !== undefined) return pieces.there.find(({ id }) => id === evidenceId);
  if (adding === undefined) return undefined;
  const others = othersIn(pieces, adding.category);
  const newest = others.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)).at(-1);
  if (newest === undefined || others.length <= adding.others) return undefined;
  pieces.ours.add(newest.id);
  return newest;
}

function othersIn({ there, ours }: Pieces, category: string): readonly FilePiece[] {
  return there.filter((piece) => piece.category === category && !ours.has(piece.id));
}

/** Undefined where none is left. Whether one is gone is what the dispute says afterwards, not what a call answered. */
async function removeFiles(
  client: BraintreeClient,
  { pspDisputeId }: EvidenceRequest,
  { removed, pieces }: { readonly removed: readonly FileReference[]; readonly pieces: Pieces },
): Promise<EvidenceResult | undefined> {
  const stale = removed.flatMap((reference) => pieceOf(reference, pieces) ?? []);
  if (stale.length === 0) return undefined;
  for (const { id } of stale) await client.removeEvidence(pspDisputeId, id);
  const found = await client.dispute(pspDisputeId);
  const result = resultOf(found, 'the removal of a file');
  if (found.kind !== 'answered' || result.kind !== 'done') return result;
  const there = filePiecesIn(found.value);
  const left = stale.find(({ id }) => there.some((piece) => piece.id === id));
  return (
    left && {
      kind: 'failed',
      reason: 'A file that was removed here could not be removed at Braintree.',
    }
  );
}

/** Texts have no address. */
function filePiecesIn(value: unknown): FilePiece[] {
  return listOf(disputeIn(value).evidence).flatMap(({ id, url, category, createdAt }) => {
    const known = textOf(id);
    if (known === undefined || textOf(url) === undefined) return [];
    return [{ id: known, category: textOf(category), createdAt: String(createdAt) }];
  });
}

function idIn(sent: { readonly kind: string; readonly value?: unknown }, of: string) {
  const made: Fields | undefined = fieldsOf(fieldsOf(sent.value)?.[of]);
  return textOf(made?.id);
}
