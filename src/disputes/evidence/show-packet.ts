import type { Clock } from '../../domain/clock.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { Reader } from '../ports.ts';
import { buildPacket } from './build-packet.ts';
import { type CollectDeps, collectFacts } from './collect-facts.ts';
import type { EvidenceStore } from './evidence-ports.ts';
import type { Packet } from './packet.ts';

export interface PacketDeps extends CollectDeps {
  readonly evidence: Pick<EvidenceStore, 'read'>;
  readonly clock: Clock;
}

export type PacketOutcome =
  | { readonly kind: 'packet'; readonly dispute: DisputeDetail; readonly packet: Packet }
  /** Nobody said how much is disputed. */
  | { readonly kind: 'no_amount'; readonly dispute: DisputeDetail }
  | { readonly kind: 'not_found' };

/** The packet of a dispute, made of what is known now; who asks for it stands in the audit log. */
export async function showPacket(
  deps: PacketDeps,
  input: { readonly merchantId: string; readonly disputeId: string; readonly reader: Reader },
): Promise<PacketOutcome> {
  const records = await deps.evidence.read(input);
  if (records === undefined) return { kind: 'not_found' };
  const { dispute } = records;
  const { reader } = input;
  const collected = await collectFacts(deps, records, { reader, at: deps.clock.now() });
  if (collected.kind === 'no_amount') return { kind: 'no_amount', dispute };
  return { kind: 'packet', dispute, packet: buildPacket(collected.facts) };
}
