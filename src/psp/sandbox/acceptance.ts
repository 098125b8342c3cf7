import type { AcceptanceGateway } from '../../disputes/acceptance/acceptance-gateway.ts';

/** The sandbox PSP charges, and has no bank that a dispute could be lost to. */
export const sandboxAcceptance: AcceptanceGateway = {
  kind: 'by_hand',
  reason: 'The sandbox PSP knows no disputes: report how it ended with POST /v1/disputes.',
};
