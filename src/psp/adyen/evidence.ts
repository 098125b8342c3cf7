import {
  type AdyenDefenseReason,
  renderAdyen,
} from '../../disputes/evidence/renderers/render-adyen.ts';
import type {
  EvidenceGateway,
  EvidenceRequest,
  EvidenceResult,
} from '../../disputes/submission/evidence-gateway.ts';
import { codeOf, type Fields, fieldsOf, listOf, parsedFields, textOf } from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import type { AdyenClient, AdyenDispute } from './client.ts';
import type { AdyenAccount } from './credentials.ts';

/**
 * Answers to disputes by Adyen's Disputes API v30: the reasons that it offers for this dispute, the
 * packet's PDF as the document of one, then the defence. Source: docs.adyen.com, Disputes API.
 */
export function createAdyenEvidence(client: AdyenClient, account: AdyenAccount): EvidenceGateway {
  const disputeOf = (disputePspReference: string): AdyenDispute => ({
    disputePspReference,
    merchantAccountCode: account.merchantAccount,
  });
  return {
    kind: 'api',
    stage: (request) => stage(client, account, disputeOf(request.pspDisputeId), request),
    async submit({ pspDisputeId, reference }) {
      if (reference === undefined) return { kind: 'failed', reason: 'no defence reason is staged' };
      const sent = await client.defend(account, disputeOf(pspDisputeId), reference);
      return resultOf(sent, 'the defence');
    },
    readSubmitted: async () => ({
      kind: 'unreadable',
      reason: 'Adyen has no record of disputes to ask: its webhook tells of the defence.',
    }),
  };
}

async function stage(
  client: AdyenClient,
  account: AdyenAccount,
  dispute: AdyenDispute,
  { packet, pdf }: EvidenceRequest,
): Promise<EvidenceResult> {
  const asked = await client.defenseReasons(account, dispute);
  const answer = resultOf(asked, 'the defence reasons');
  if (answer.kind !== 'done') return answer;
  const { body, leftOut } = renderAdyen(packet.content, reasonsIn(asked));
  if (body === undefined) {
    const reason = leftOut.map(({ why }) => why).join('; ');
    return { kind: 'failed', reason: `No reason that Adyen offers can be used: ${reason}.` };
  }
  const content = Buffer.from(await pdf()).toString('base64');
  const documents = body.documents.map(({ contentType, defenseDocumentTypeCode }) => ({
    content,
    contentType,
    defenseDocumentTypeCode,
  }));
  const supplied = await client.supplyDocuments(account, dispute, documents);
  const result = resultOf(supplied, 'the document');
  return result.kind === 'done' ? { ...result, reference: body.defenseReasonCode } : result;
}

/** A document that lies there already may be supplied again, and replaces it. */
function reasonsIn(sent: Exchange): readonly AdyenDefenseReason[] {
  const reasons = bodyOf(sent)?.defenseReasons;
  return listOf(reasons).flatMap((reason) => {
    const defenseReasonCode = textOf(reason.defenseReasonCode);
    if (defenseReasonCode === undefined) return [];
    const defenseDocumentTypes = listOf(reason.defenseDocumentTypes).flatMap((type) => {
      const code = textOf(type.defenseDocumentTypeCode);
      const requirementLevel = textOf(type.requirementLevel) ?? '';
      return code === undefined
        ? []
        : [{ defenseDocumentTypeCode: code, requirementLevel, available: false }];
    });
    return [{ defenseReasonCode, defenseDocumentTypes }];
  });
}

/** Adyen answers 200 with `success: false` where it does not take what was sent. */
export function resultOf(sent: Exchange, what: string): EvidenceResult {
  if (sent.kind === 'not_sent') return { kind: 'failed', reason: sent.reason };
  if (sent.kind === 'lost') return sent;
  const body = bodyOf(sent);
  const success = fieldsOf(body?.disputeServiceResult)?.success;
  if (sent.status === 200 && success === true) return { kind: 'done' };
  const code = codeOf(body?.errorCode);
  const said = code === undefined ? '' : ` ${code}`;
  const reason = `Adyen did not take ${what}: HTTP ${sent.status}${said}`;
  const isRefusal = (sent.status === 200 && success === false) || isClientError(sent.status);
  return { kind: isRefusal ? 'failed' : 'lost', reason };
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

function bodyOf(sent: Exchange): Fields | undefined {
  return sent.kind === 'answered' ? parsedFields(sent.text) : undefined;
}
