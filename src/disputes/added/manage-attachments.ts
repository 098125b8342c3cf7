import type { DisputeDetail } from '../dispute-ports.ts';
import type { AttachDeps } from './add-attachment.ts';
import type { DisputeKey } from './added-ports.ts';
import type { Attachment } from './attachment.ts';
import type { AttachmentKey, RemoveOutcome } from './attachment-ports.ts';
import { isSent } from './is-sent.ts';

type Deps = Pick<AttachDeps, 'attachments' | 'disputes' | 'submissions' | 'clock'>;

/** The files of a dispute, and whether they can still be changed. */
export interface AttachmentsView {
  readonly dispute: DisputeDetail;
  readonly attachments: readonly Attachment[];
  readonly isSent: boolean;
}

/** Undefined where there is no such dispute. */
export async function listAttachments(
  deps: Deps,
  { merchantId, disputeId }: DisputeKey,
): Promise<AttachmentsView | undefined> {
  const key = { merchantId, disputeId };
  const dispute = await deps.disputes.show(key);
  if (dispute === undefined) return undefined;
  const attachments = await deps.attachments.list(key);
  return { dispute, attachments, isSent: await isSent(deps, dispute) };
}

/** Takes a file away, until the evidence is sent on. */
export async function removeAttachment(
  deps: Deps,
  input: AttachmentKey & { readonly actor: string },
): Promise<RemoveOutcome> {
  const dispute = await deps.disputes.show(input);
  if (dispute === undefined) return 'not_found';
  if (await isSent(deps, dispute)) return 'sent';
  return deps.attachments.remove({ ...input, at: deps.clock.now() });
}
