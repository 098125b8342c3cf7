import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type {
  AttachmentJson,
  AttachmentKindJson,
  AttachmentsJson,
  RebuttalJson,
} from './generated/dispute-evidence.ts';
import type { DisputeSummaryJson } from './generated/disputes.ts';
import { apiPath, get, getBlob, send, sendFile } from './request.ts';
import { useChange } from './use-change.ts';

/** What a person adds to a dispute's evidence lies below its merchant. */
type Named = Pick<DisputeSummaryJson, 'merchant_id' | 'id'>;

function pathOf({ merchant_id: merchantId, id }: Named, ...parts: readonly string[]): string {
  return apiPath('merchants', merchantId, 'disputes', id, ...parts);
}

/** Each reading stands in the audit log: not read again by itself. */
export function useRebuttal(dispute: Named): UseQueryResult<RebuttalJson> {
  return useQuery({
    queryKey: ['dispute', dispute.id, 'rebuttal'],
    queryFn: ({ signal }) => get<RebuttalJson>(pathOf(dispute, 'rebuttal'), {}, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

export interface NewRebuttal {
  readonly text: string;
  /** The letter that it replaces, empty for none. */
  readonly basis: string;
}

/** Refused where another letter was saved since, which is then shown. */
export function useWriteRebuttal(dispute: Named): UseMutationResult<void, Error, NewRebuttal> {
  const path = pathOf(dispute, 'rebuttal');
  const write = async ({ text, basis }: NewRebuttal): Promise<void> => {
    const { text: saved = '' } = await get<RebuttalJson>(path, {});
    if (saved !== basis) throw new Error('Somebody changed the letter. Yours is not saved.');
    await send<void>('PUT', path, { text });
  };
  return useChange(write, {
    shown: ['dispute', dispute.id, 'rebuttal'],
    others: [['dispute', dispute.id, 'evidence']],
    afterRefusal: true,
  });
}

export function useAttachments(dispute: Named): UseQueryResult<AttachmentsJson> {
  return useQuery({
    queryKey: ['dispute', dispute.id, 'attachments'],
    queryFn: ({ signal }) => get<AttachmentsJson>(pathOf(dispute, 'attachments'), {}, signal),
  });
}

export interface NewAttachment {
  readonly kind: AttachmentKindJson;
  readonly files: readonly File[];
}

/** Adds files one after another; one that is refused ends it, and those before it are kept. */
export function useAttach(dispute: Named): UseMutationResult<void, Error, NewAttachment> {
  return useChange(async ({ kind, files }: NewAttachment) => {
    for (const file of files) {
      await sendFile<AttachmentJson>(pathOf(dispute, 'attachments'), { kind }, file);
    }
  }, ofAttachments(dispute));
}

export function useRemoveAttachment(dispute: Named): UseMutationResult<void, Error, string> {
  return useChange(
    (id: string) => send<void>('DELETE', pathOf(dispute, 'attachments', id)),
    ofAttachments(dispute),
  );
}

/** A file as it came: each reading stands in the audit log. */
export function useAttachmentFile(dispute: Named): UseMutationResult<Blob, Error, string> {
  return useMutation({
    mutationFn: (id: string) => getBlob(pathOf(dispute, 'attachments', id), '*/*'),
  });
}

function ofAttachments({ id }: Named) {
  return {
    shown: ['dispute', id, 'attachments'],
    others: [['dispute', id, 'evidence']],
    afterRefusal: true,
  };
}
