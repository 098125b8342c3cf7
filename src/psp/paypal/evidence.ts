import { attachmentPspName } from '../../disputes/added/attachment.ts';
import { attachmentsThatGo } from '../../disputes/evidence/renderers/attachment-places.ts';
import { renderPaypal } from '../../disputes/evidence/renderers/render-paypal.ts';
import { fileGone, fileOf } from '../../disputes/submission/evidence-file.ts';
import type {
  EvidenceApi,
  EvidenceRequest,
  EvidenceResult,
  SubmissionRecord,
} from '../../disputes/submission/evidence-gateway.ts';
import { codeOf, type Fields, listOf, parsedFields, textOf, timeOf } from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import { type FormPart, multipartForm } from '../multipart-form.ts';
import type { PaypalClient } from './client.ts';

const pdfName = 'evidence.pdf';

/**
 * Answers to disputes by provide-evidence: a list of typed evidence with the PDF as a document of its
 * first piece. PayPal takes it only while it waits for the seller, which it may do again in the same stage, and says so
 * by a link of the dispute.
 * Source: paypal-rest-api-specifications, customer_disputes_v1.json, disputes.provide-evidence, which names the part
 * `evidence-file`; PayPal's Postman collection, provide evidence, which names `input` beside it.
 */
export function createPaypalEvidence(client: PaypalClient): EvidenceApi {
  return {
    kind: 'api',
    stage: {
      kind: 'not_offered',
      reason: 'PayPal has no staging: evidence that it is sent counts at once.',
    },
    async submit(request) {
      const found = await client.dispute(request.pspDisputeId);
      const dispute = recordIn(found, request.pspDisputeId);
      // Nothing that would change anything was sent.
      if (dispute === undefined) return { kind: 'failed', reason: reasonOf(found, 'the dispute') };
      if (!takesEvidence(dispute)) {
        const status = codeOf(dispute.status) ?? 'unknown';
        return { kind: 'failed', reason: `PayPal takes no evidence now; its status is ${status}` };
      }
      const form = await formOf(request);
      if (form === undefined) return { kind: 'failed', reason: fileGone };
      return resultOf(await client.provideEvidence(request.pspDisputeId, form), 'the evidence');
    },
    async readSubmitted(pspDisputeId, askedAt): Promise<SubmissionRecord> {
      const found = await client.dispute(pspDisputeId);
      const dispute = recordIn(found, pspDisputeId);
      return dispute === undefined
        ? { kind: 'unreadable', reason: reasonOf(found, 'the dispute') }
        : submittedIn(dispute, askedAt);
    },
    async awaitsAnother(pspDisputeId) {
      const dispute = recordIn(await client.dispute(pspDisputeId), pspDisputeId);
      // Where it cannot be read, the sending says so: it reads it too.
      return dispute === undefined || takesEvidence(dispute);
    },
  };
}

/** Undefined where a file was taken away meanwhile. */
async function formOf({ packet, pdf, files }: EvidenceRequest) {
  const { body } = renderPaypal(packet.content);
  const parts: FormPart[] = [];
  const pieces: object[] = [];
  for (const { attachment, field, number } of attachmentsThatGo(packet.content)) {
    const content = await fileOf(files, attachment)?.bytes();
    if (content === undefined) return undefined;
    const fileName = attachmentPspName(attachment, number);
    parts.push({ name: 'evidence-file', contentType: attachment.mediaType, fileName, content });
    pieces.push({ evidence_type: field, documents: [{ name: fileName }] });
  }
  const evidences = [
    ...body.map((piece, index) =>
      index === 0 ? { ...piece, documents: [{ name: pdfName }] } : piece,
    ),
    ...pieces,
  ];
  return multipartForm(packet.contentHash, [
    { name: 'input', contentType: 'application/json', content: JSON.stringify({ evidences }) },
    {
      name: 'evidence-file',
      contentType: 'application/pdf',
      fileName: pdfName,
      content: await pdf(),
    },
    ...parts,
  ]);
}

/** Both are said of it in the specification: the status, and that without the link it cannot be done. */
function takesEvidence(dispute: Fields): boolean {
  const links = listOf(dispute.links);
  return (
    dispute.status === 'WAITING_FOR_SELLER_RESPONSE' &&
    links.some(({ href }) => /\/provide-evidence$/.test(textOf(href) ?? ''))
  );
}

/** What the seller gave in the present stage since PayPal asked, or that PayPal looks at it. */
function submittedIn(dispute: Fields, askedAt?: Date): SubmissionRecord {
  const { status, dispute_life_cycle_stage: stage } = dispute;
  const isGiven = listOf(dispute.evidences).some(
    ({ source, dispute_life_cycle_stage: of, date }) =>
      source === 'SUBMITTED_BY_SELLER' &&
      (of === undefined || of === stage) &&
      !isBefore(timeOf(date), askedAt),
  );
  if (isGiven || status === 'UNDER_REVIEW') return { kind: 'submitted' };
  return status === 'WAITING_FOR_SELLER_RESPONSE'
    ? { kind: 'not_submitted' }
    : { kind: 'unreadable', reason: 'the status of the dispute does not say it' };
}

function isBefore(given: Date | undefined, asked: Date | undefined): boolean {
  return given !== undefined && asked !== undefined && given < asked;
}

export function recordIn(sent: Exchange, pspDisputeId: string): Fields | undefined {
  if (sent.kind !== 'answered' || sent.status !== 200) return undefined;
  const dispute = parsedFields(sent.text);
  return dispute?.dispute_id === pspDisputeId ? dispute : undefined;
}

/** 4xx says that nothing was taken, but for 409 and 429 of a request that is on its way. */
export function resultOf(sent: Exchange, what: string): EvidenceResult {
  if (sent.kind === 'answered' && sent.status === 200) return { kind: 'done' };
  const reason = reasonOf(sent, what);
  const isRefusal =
    sent.kind === 'answered' && [400, 401, 403, 404, 413, 415, 422].includes(sent.status);
  return { kind: isRefusal || sent.kind === 'not_sent' ? 'failed' : 'lost', reason };
}

export function reasonOf(sent: Exchange, what: string): string {
  if (sent.kind !== 'answered') return sent.reason;
  const { name, details } = parsedFields(sent.text) ?? {};
  const codes = [name, listOf(details)[0]?.issue].flatMap((code) => codeOf(code) ?? []);
  return `PayPal answered ${['HTTP', sent.status, ...codes].join(' ')} to ${what}`;
}
