import { createHash } from 'node:crypto';
import { judgeDispute, ruleSetFor } from '../../domain/disputes/ce3/judge-dispute.ts';
import type { EvidenceTransaction } from '../../domain/disputes/ce3/transactions.ts';
import { canonicalJson, type JsonValue } from '../../domain/json/canonical-json.ts';
import { present } from '../../domain/present.ts';
import {
  type Packet,
  type PacketCharge,
  type PacketContent,
  type PacketEvent,
  packetFormat,
} from './packet.ts';
import type { PacketFacts, TimelineEvent } from './packet-facts.ts';

/**
 * The packet of a dispute: judged by its network's rule set, with the priors that were chosen and a
 * timeline in order. What neither the rules nor a reader need, such as the credential's fingerprint,
 * stays out.
 */
export function buildPacket(facts: PacketFacts): Packet {
  const content = contentOf(facts);
  return { content, contentHash: hashOf(content) };
}

/** SHA-256 of a content's canonical JSON: whoever holds the content can prove that it is unchanged. */
export function hashOf(content: PacketContent): string {
  return createHash('sha256').update(packetJson(content)).digest('hex');
}

/** The content as one text: its appendix, its archive form, and what is hashed. */
export function packetJson(content: PacketContent): string {
  return canonicalJson(jsonOf(content));
}

function contentOf(facts: PacketFacts): PacketContent {
  const { disputed, dispute, customer } = facts;
  const verdict = judgeDispute(ruleSetFor(disputed), { disputed, candidates: facts.candidates });
  const { ruleSet, eligible, elementSet, matching, matchingNames, rules } = verdict;
  return {
    format: packetFormat,
    merchantName: facts.merchantName,
    customer,
    dispute: {
      id: dispute.id,
      psp: disputed.psp,
      reason: disputed.reason,
      ...(dispute.state.kind === 'dispute' && {
        stage: dispute.state.stage,
        status: dispute.state.status,
      }),
      money: dispute.money,
      disputedAt: disputed.disputedAt.toISOString(),
      ...(dispute.respondBy && {
        respondBy: { at: dispute.respondBy.at.toISOString(), source: dispute.respondBy.source },
      }),
    },
    charge: chargeOf(disputed),
    ...(disputed.merchandiseOrServices && {
      merchandiseOrServices: disputed.merchandiseOrServices,
    }),
    ...(facts.providedAt && { providedAt: facts.providedAt.toISOString() }),
    priors: verdict.priors.map(chargeOf),
    verdict: { ruleSet, eligible, elementSet, matching, matchingNames, rules },
    timeline: timelineOf(facts.timeline),
    ...present({ rebuttal: facts.rebuttal }),
    ...filesOf(facts),
  };
}

function filesOf({ attachments = [] }: PacketFacts): Pick<PacketContent, 'attachments'> {
  if (attachments.length === 0) return {};
  const items = attachments.map(({ kind, name, mediaType, bytes, sha256 }) => ({
    ...{ kind, name, mediaType, bytes, sha256 },
  }));
  return { attachments: items };
}

function chargeOf(transaction: EvidenceTransaction): PacketCharge {
  const { id, psp, processedAt, money, arn, descriptor, productDescription, initiatedBy } =
    transaction;
  const { inherited, ...elements } = transaction.elements;
  return {
    id,
    psp,
    processedAt: processedAt.toISOString(),
    money,
    ...present({ arn, descriptor, productDescription }),
    initiatedBy,
    elements: { ...elements, inherited: [...inherited].sort() },
  };
}

/** By time; what happened at once, by its own text. The same event told twice is one. */
function timelineOf(events: readonly TimelineEvent[]): readonly PacketEvent[] {
  const written = events.map(({ at, merchantAgreedAt, ...event }) => {
    const agreed = merchantAgreedAt && { merchantAgreedAt: merchantAgreedAt.toISOString() };
    const item: PacketEvent = { ...event, at: at.toISOString(), ...agreed };
    return { item, key: `${item.at} ${canonicalJson(jsonOf(item))}` };
  });
  const byKey = new Map(written.map(({ item, key }) => [key, item]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** A value of packet types holds texts, numbers, lists and plain objects alone. */
function jsonOf(value: PacketContent | PacketEvent): JsonValue {
  return { ...value } as unknown as { [name: string]: JsonValue };
}
