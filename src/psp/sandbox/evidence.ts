import type { EvidenceGateway } from '../../disputes/submission/evidence-gateway.ts';

/** The sandbox PSP charges, and has no bank that would read an answer. */
export const sandboxEvidence: EvidenceGateway = {
  kind: 'by_hand',
  reason: 'The sandbox PSP takes no answers to disputes.',
};
