import { at, type PspDisputes, row } from '../../disputes/normalise/psp-dispute-rows.ts';

/**
 * Worldpay Access tells of a dispute by one event (`chargedBack` in some versions), without a stage, a reason or a deadline: all that
 * follows is read in its portal.
 */
export const worldpayDisputes: PspDisputes = {
  source: 'Worldpay Access, events: chargeback',
  rows: [
    row({ event: 'chargeback' }, at('chargeback', 'needs_response')),
    row({ event: 'chargedBack' }, at('chargeback', 'needs_response')),
  ],
};
