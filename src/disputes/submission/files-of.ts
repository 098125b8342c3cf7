import type { Clock } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { DisputeKey } from '../added/added-ports.ts';
import type { AttachmentStore } from '../added/attachment-ports.ts';
import type { EvidenceRequest } from './evidence-gateway.ts';

/** The files of a dispute for its PSP. Each is opened when it is sent, with a line in the audit log. */
export async function filesOf(
  deps: { readonly attachments: AttachmentStore; readonly clock: Clock },
  { merchantId, disputeId }: DisputeKey,
): Promise<Pick<EvidenceRequest, 'files' | 'removedFiles'>> {
  const { attachments, clock } = deps;
  const key = { merchantId, disputeId };
  const kept = await attachments.list(key);
  const reader = { actor: 'service', reason: `submission of ${disputeId}` };
  return {
    files: kept.map(({ attachmentId, sha256, mediaType, pspReference }) => ({
      sha256,
      mediaType,
      ...present({ reference: pspReference }),
      bytes: async () => {
        const found = await attachments.read({ ...key, attachmentId, reader, at: clock.now() });
        return found?.bytes;
      },
      keep: (reference) => attachments.noteReference({ ...key, attachmentId }, reference),
    })),
    removedFiles: await attachments.removedReferences(key),
  };
}
