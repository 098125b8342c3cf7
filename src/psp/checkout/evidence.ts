import { attachmentPspName } from '../../disputes/added/attachment.ts';
import { attachmentsThatGo } from '../../disputes/evidence/renderers/attachment-places.ts';
import { renderCheckout } from '../../disputes/evidence/renderers/render-checkout.ts';
import { fileGone, fileOf } from '../../disputes/submission/evidence-file.ts';
import type {
  EvidenceApi,
  EvidenceRequest,
  EvidenceResult,
} from '../../disputes/submission/evidence-gateway.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';
import type { Watched } from '../watched-call.ts';
import type { CheckoutClient } from './client.ts';
import { reasonOf } from './map.ts';

/** Statuses of a dispute whose evidence was submitted. Source: checkout-sdk-net, DisputeStatus. */
const answered = [
  'evidence_under_review',
  'won',
  'arbitration_under_review',
  'arb_evidence_submitted',
];

/**
 * Answers to disputes: the PDF as an additional file, and compelling evidence where the rules hold, are
 * provided with the dispute, then submitted. Source: Checkout.com, API reference, Disputes: provide evidence (PUT) and
 * submit evidence (POST without a body), both 204; checkout-sdk-net, DisputeEvidenceRequest; file uploader, purpose
 * `dispute_evidence`.
 */
export function createCheckoutEvidence(client: CheckoutClient): EvidenceApi {
  return {
    kind: 'api',
    async stage(request) {
      const { pspDisputeId, packet, pdf } = request;
      const document = await upload(client, { bytes: await pdf(), name: 'evidence.pdf' });
      if (document.kind !== 'done') return document;
      const files = await uploadFiles(client, request);
      if (files.kind !== 'fields') return files;
      const body = {
        ...renderCheckout(packet.content).body,
        ...files.fields,
        additional_evidence_file: document.reference,
      };
      return resultOf(await client.provideEvidence(pspDisputeId, body));
    },
    submit: async ({ pspDisputeId }) => resultOf(await client.submitEvidence(pspDisputeId)),
    async readSubmitted(pspDisputeId) {
      const found = await client.dispute(pspDisputeId);
      if (found.kind !== 'answered') return { kind: 'unreadable', reason: reasonOf(found) };
      const status = textOf(fieldsOf(found.value)?.status);
      if (status === 'evidence_required') return { kind: 'not_submitted' };
      return status !== undefined && answered.includes(status)
        ? { kind: 'submitted' }
        : { kind: 'unreadable', reason: 'the status of the dispute does not say it' };
    },
  };
}

/** The files of a packet, each uploaded once, by the fields that hold their ids. */
async function uploadFiles(
  client: CheckoutClient,
  { packet, files }: EvidenceRequest,
): Promise<{ readonly kind: 'fields'; readonly fields: Fields } | EvidenceResult> {
  const fields: Record<string, string> = {};
  for (const { attachment, field, number } of attachmentsThatGo(packet.content)) {
    const file = fileOf(files, attachment);
    if (file?.reference !== undefined) {
      fields[field] = file.reference;
      continue;
    }
    const bytes = await file?.bytes();
    if (file === undefined || bytes === undefined) return { kind: 'failed', reason: fileGone };
    const name = attachmentPspName(attachment, number);
    const uploaded = await upload(client, { bytes, name });
    if (uploaded.kind !== 'done') return { ...uploaded, reason: `${name}: ${uploaded.reason}` };
    await file.keep(uploaded.reference);
    fields[field] = uploaded.reference;
  }
  return { kind: 'fields', fields };
}

type Uploaded =
  | { readonly kind: 'done'; readonly reference: string }
  | Exclude<EvidenceResult, { kind: 'done' }>;

async function upload(
  client: CheckoutClient,
  file: { readonly bytes: Uint8Array; readonly name: string },
): Promise<Uploaded> {
  const uploaded = await client.uploadEvidence(file.bytes, file.name);
  const result = resultOf(uploaded);
  if (result.kind !== 'done') return result;
  const reference = uploaded.kind === 'answered' ? fieldsOf(uploaded.value)?.id : undefined;
  const id = textOf(reference);
  return id === undefined
    ? { kind: 'failed', reason: 'the uploaded file has no id' }
    : { kind: 'done', reference: id };
}

/** 4xx says that nothing was taken, but for 409 and 429 of a request that is on its way. */
export function resultOf(sent: Watched<unknown>): EvidenceResult {
  if (sent.kind === 'answered') return { kind: 'done' };
  const reason = reasonOf(sent);
  const isRefusal = sent.kind === 'refused' && [400, 401, 403, 404, 422].includes(sent.status);
  return { kind: isRefusal || sent.kind === 'not_sent' ? 'failed' : 'lost', reason };
}
