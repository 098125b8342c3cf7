import type {
  AdyenDefenseReason,
  AdyenDocument,
} from '../../disputes/evidence/renderers/adyen-plan.ts';
import { type AdyenDefense, renderAdyen } from '../../disputes/evidence/renderers/render-adyen.ts';
import type { LeftOut } from '../../disputes/evidence/renderers/rendered.ts';
import { fileGone, fileOf } from '../../disputes/submission/evidence-file.ts';
import type {
  EvidenceGateway,
  EvidenceRequest,
  EvidenceResult,
  StagingResult,
} from '../../disputes/submission/evidence-gateway.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import { codeOf, type Fields, fieldsOf, listOf, parsedFields, textOf } from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import type { AdyenClient, AdyenDispute } from './client.ts';
import type { AdyenAccount } from './credentials.ts';
import { readStaged, writeStaged } from './staged-defense.ts';

/** Of a reason why nothing was sent. */
const maxReason = 500;

interface Deps {
  readonly client: AdyenClient;
  readonly account: AdyenAccount;
}

/**
 * Answers to disputes by Adyen's Disputes API v30: the reasons that it offers for this dispute, the
 * packet's PDF and the files as the documents of one, then the defence. Source: docs.adyen.com, Disputes API.
 */
export function createAdyenEvidence(client: AdyenClient, account: AdyenAccount): EvidenceGateway {
  const disputeOf = (disputePspReference: string): AdyenDispute => ({
    disputePspReference,
    merchantAccountCode: account.merchantAccount,
  });
  return {
    kind: 'api',
    stage: (request) => stage({ client, account }, disputeOf(request.pspDisputeId), request),
    async submit({ pspDisputeId, reference }) {
      const { reasonCode } = readStaged(reference);
      if (reasonCode === undefined)
        return { kind: 'failed', reason: 'no defence reason is staged' };
      const sent = await client.defend(account, disputeOf(pspDisputeId), reasonCode);
      return resultOf(sent, 'the defence');
    },
    readSubmitted: async () => ({
      kind: 'unreadable',
      reason: 'Adyen has no record of disputes to ask: its webhook tells of the defence.',
    }),
  };
}

/**
 * Nothing is changed there before all that the reason requires is here. Documents of ours that it has no use for are
 * deleted: Adyen's help wants the documents of one reason alone.
 */
async function stage(
  deps: Deps,
  dispute: AdyenDispute,
  request: EvidenceRequest,
): Promise<StagingResult> {
  const asked = await deps.client.defenseReasons(deps.account, dispute);
  const answer = resultOf(asked, 'the defence reasons');
  if (answer.kind !== 'done') return answer;
  const reasons = reasonsIn(asked);
  const staged = readStaged(request.staged);
  const { body, leftOut } = renderAdyen(request.packet.content, reasons, staged.types);
  if (body === undefined) {
    return { kind: 'incomplete', reason: incompleteReason(leftOut) };
  }
  const lies = new Set(staged.types);
  const wanted = new Set(body.documents.map((one) => one.defenseDocumentTypeCode));
  const stale = [...staged.types].filter((type) => !wanted.has(type));
  const result =
    (await remove(deps, dispute, { stale, there: typesThere(reasons), lies })) ??
    (await supply(deps, dispute, { request, body, lies }));
  return { ...result, reference: writeStaged({ reasonCode: body.defenseReasonCode, types: lies }) };
}

/** Of each reason what it lacks, as many as there is room for. */
function incompleteReason(leftOut: readonly LeftOut[]): string {
  const reasons = leftOut.filter(({ field }) => field !== 'defenseReasonCode');
  if (reasons.length === 0) return 'Adyen offers no reason to defend the dispute by.';
  const said = reasons.map(({ field, why }) => `${field}: ${why}`).join('; ');
  return `No reason that Adyen offers can be used. ${said}.`.slice(0, maxReason);
}

/** Deletes documents that we laid there and that no longer belong to the defence; undefined where none is left. */
async function remove(
  { client, account }: Deps,
  dispute: AdyenDispute,
  about: {
    readonly stale: readonly string[];
    readonly there: ReadonlySet<string>;
    readonly lies: Set<string>;
  },
): Promise<EvidenceResult | undefined> {
  for (const type of about.stale) {
    if (about.there.has(type)) {
      const sent = await client.deleteDocument(account, dispute, type);
      const result = resultOf(sent, `the removal of ${type}`);
      if (result.kind !== 'done') return result;
    }
    about.lies.delete(type);
  }
  return undefined;
}

/** One call for each document: a document that lies there already is replaced, since each type has one. */
async function supply(
  { client, account }: Deps,
  dispute: AdyenDispute,
  about: {
    readonly request: EvidenceRequest;
    readonly body: AdyenDefense;
    readonly lies: Set<string>;
  },
): Promise<EvidenceResult> {
  for (const document of about.body.documents) {
    const { defenseDocumentTypeCode } = document;
    const read = await contentOf(document, about.request);
    if (read === undefined) return { kind: 'failed', reason: fileGone };
    const content = Buffer.from(read.bytes).toString('base64');
    about.lies.add(defenseDocumentTypeCode);
    const sent = await client.supplyDocuments(account, dispute, [
      { content, contentType: read.contentType, defenseDocumentTypeCode },
    ]);
    const result = resultOf(sent, `the document ${defenseDocumentTypeCode}`);
    if (result.kind !== 'done') return result;
  }
  return { kind: 'done' };
}

async function contentOf(
  { content }: AdyenDocument,
  { pdf, files }: EvidenceRequest,
): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined> {
  if (content === 'packet_pdf') return { bytes: await pdf(), contentType: 'application/pdf' };
  const { attachment } = content;
  const bytes = await fileOf(files, attachment)?.bytes();
  return bytes && { bytes, contentType: attachment.mediaType };
}

function reasonsIn(sent: Exchange): readonly AdyenDefenseReason[] {
  const reasons = bodyOf(sent)?.defenseReasons;
  return listOf(reasons).flatMap((reason) => {
    const defenseReasonCode = textOf(reason.defenseReasonCode);
    if (defenseReasonCode === undefined) return [];
    const defenseDocumentTypes = listOf(reason.defenseDocumentTypes).flatMap((type) => {
      const code = textOf(type.defenseDocumentTypeCode);
      const requirementLevel = textOf(type.requirementLevel) ?? '';
      const available = type.available === true;
      return code === undefined
        ? []
        : [{ defenseDocumentTypeCode: code, requirementLevel, available }];
    });
    return [{ defenseReasonCode, defenseDocumentTypes }];
  });
}

function typesThere(reasons: readonly AdyenDefenseReason[]): ReadonlySet<string> {
  return new Set(
    reasons
      .flatMap(({ defenseDocumentTypes }) => defenseDocumentTypes)
      .filter(({ available }) => available)
      .map(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode),
  );
}

/** Adyen answers 200 with `success: false` where it does not take what was sent, and says why in words alone. */
export function resultOf(sent: Exchange, what: string): EvidenceResult {
  if (sent.kind === 'not_sent') return { kind: 'failed', reason: sent.reason };
  if (sent.kind === 'lost') return sent;
  const body = bodyOf(sent);
  const { success, errorMessage } = fieldsOf(body?.disputeServiceResult) ?? {};
  if (sent.status === 200 && success === true) return { kind: 'done' };
  const said = codeOf(body?.errorCode) ?? textOf(errorMessage) ?? '';
  const reason = truncatedText(`Adyen did not take ${what}: HTTP ${sent.status} ${said}`.trimEnd());
  const isRefusal = (sent.status === 200 && success === false) || isClientError(sent.status);
  return { kind: isRefusal ? 'failed' : 'lost', reason };
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

function bodyOf(sent: Exchange): Fields | undefined {
  return sent.kind === 'answered' ? parsedFields(sent.text) : undefined;
}
