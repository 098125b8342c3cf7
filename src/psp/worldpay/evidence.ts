import type { EvidenceGateway } from '../../disputes/submission/evidence-gateway.ts';

/** Worldpay's Access APIs tell of disputes and take no answers to them; its dashboard does. */
export const worldpayEvidence: EvidenceGateway = {
  kind: 'by_hand',
  reason: 'Worldpay has no API for answers to disputes.',
};
