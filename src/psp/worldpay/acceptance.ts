import type { AcceptanceGateway } from '../../disputes/acceptance/acceptance-gateway.ts';

/** Worldpay's Access APIs tell of disputes; they are accepted, or left to their deadline, in its dashboard. */
export const worldpayAcceptance: AcceptanceGateway = {
  kind: 'by_hand',
  reason: 'Worldpay has no API to accept disputes.',
};
