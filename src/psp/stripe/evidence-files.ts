import { attachmentPspName } from '../../disputes/added/attachment.ts';
import {
  attachmentsThatGo,
  type PlacedAttachment,
} from '../../disputes/evidence/renderers/attachment-places.ts';
import { type EvidenceFile, fileGone, fileOf } from '../../disputes/submission/evidence-file.ts';
import type { EvidenceRequest } from '../../disputes/submission/evidence-gateway.ts';
import { fieldsOf, textOf } from '../answer-fields.ts';
import type { StripeClient } from './client.ts';
import { failureReason } from './failures.ts';

interface Deps {
  readonly client: StripeClient;
  readonly deadlineMs: number;
}

type Failed = { readonly kind: 'failed'; readonly reason: string };

/** Stripe's fields that hold a file's id each. An empty text takes one out of a field. */
export type StripeFiles =
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, string>> }
  | Failed;

/**
 * Uploads the files of a packet, each once, and gives the fields that hold them. A field where a file of ours lies
 * that was taken away here is emptied; what others put there stays. Source: docs.stripe.com/api/files/create, purpose
 * `dispute_evidence`. Since 2026-09-30 a dispute's update is refused with `dispute_evidence_page_limit_exceeded` where
 * texts and files have more pages than the network takes (docs.stripe.com/changelog/endive).
 */
export async function stripeFiles(deps: Deps, request: EvidenceRequest): Promise<StripeFiles> {
  const fields: Record<string, string> = {};
  for (const placed of attachmentsThatGo(request.packet.content)) {
    const uploaded = await upload(deps, request, placed);
    if (uploaded.kind === 'failed') return uploaded;
    fields[placed.field] = uploaded.id;
  }
  const emptied = await emptiedFields(deps, request);
  return emptied.kind === 'failed'
    ? emptied
    : { kind: 'fields', fields: { ...emptied.fields, ...fields } };
}

async function upload(
  { client, deadlineMs }: Deps,
  { pspDisputeId, attempt, files }: EvidenceRequest,
  { attachment, number }: PlacedAttachment,
): Promise<{ readonly kind: 'uploaded'; readonly id: string } | Failed> {
  const file: EvidenceFile | undefined = fileOf(files, attachment);
  if (file?.reference !== undefined) return { kind: 'uploaded', id: file.reference };
  const bytes = await file?.bytes();
  if (file === undefined || bytes === undefined) return { kind: 'failed', reason: fileGone };
  const name = attachmentPspName(attachment, number);
  const answer = await client.ask(deadlineMs, (stripe, options) =>
    stripe.files.create(
      {
        purpose: 'dispute_evidence',
        file: { data: Buffer.from(bytes), name, type: file.mediaType },
      },
      // A key for each attempt: forms are parted anew each time, and whether Stripe takes two of them for the same
      // request is said nowhere. A file that is uploaded twice lies in no field before it is put there.
      { ...options, idempotencyKey: `${pspDisputeId}-file-${attempt}-${file.sha256}` },
    ),
  );
  if (answer.kind !== 'answered') {
    return { kind: 'failed', reason: `${name}: ${failureReason(answer)}` };
  }
  const id = textOf(fieldsOf(answer.value)?.id);
  if (id === undefined) return { kind: 'failed', reason: `${name}: the uploaded file has no id` };
  await file.keep(id);
  return { kind: 'uploaded', id };
}

/** Asked only where something was taken away after it was uploaded. */
async function emptiedFields(
  { client, deadlineMs }: Deps,
  { pspDisputeId, removedFiles = [] }: EvidenceRequest,
): Promise<StripeFiles> {
  if (removedFiles.length === 0) return { kind: 'fields', fields: {} };
  const answer = await client.ask(deadlineMs, (stripe, options) =>
    stripe.disputes.retrieve(pspDisputeId, {}, options),
  );
  if (answer.kind !== 'answered') return { kind: 'failed', reason: failureReason(answer) };
  const evidence = fieldsOf(fieldsOf(answer.value)?.evidence) ?? {};
  const ours = Object.entries(evidence).filter(([, value]) =>
    removedFiles.some((reference) => reference === value),
  );
  return { kind: 'fields', fields: Object.fromEntries(ours.map(([field]) => [field, ''])) };
}
