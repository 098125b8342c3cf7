import {
  at,
  fraudWarning,
  type PspDisputeRow,
  type PspDisputes,
  row,
  statusRows,
} from '../../disputes/normalise/psp-dispute-rows.ts';

const chargebackStatuses = {
  Unresponded: 'needs_response',
  Undefended: 'needs_response',
  Responded: 'under_review',
  Pending: 'under_review',
  Won: 'won',
  Lost: 'lost',
  Accepted: 'accepted',
  Expired: 'expired',
} as const;

/** What Adyen says of a request for information, and of nothing else. */
const inquiryStatuses = {
  Unresponded: 'needs_response',
  Responded: 'under_review',
  Expired: 'expired',
} as const;

/** The word for a request for information, where additionalData has the code of one. */
export const adyenInquiry = 'rfi';

/**
 * Adyen's eventCode, with additionalData.disputeStatus where it tells more. The status is not under
 * the standard webhook's signature, and accounts in Brazil get none: the event decides alone then.
 * INFORMATION_SUPPLIED tells of every defence, by documents or by Adyen itself: only the status or a
 * code of its own says that it was of a request for information.
 */
export const adyenDisputes: PspDisputes = {
  source: 'Adyen, dispute webhooks: eventCode and disputeStatus; Adyen/adyen-openapi Webhooks-v1',
  rows: [
    row({ event: 'NOTIFICATION_OF_FRAUD' }, fraudWarning),
    ...statusRows({ event: 'REQUEST_FOR_INFORMATION' }, 'inquiry', inquiryStatuses),
    row({ event: 'REQUEST_FOR_INFORMATION' }, at('inquiry', 'needs_response')),
    ...suppliedRows(),
    ...statusRows({ event: 'NOTIFICATION_OF_CHARGEBACK' }, 'chargeback', chargebackStatuses),
    row({ event: 'NOTIFICATION_OF_CHARGEBACK' }, at('chargeback', 'needs_response')),
    ...statusRows({ event: 'CHARGEBACK' }, 'chargeback', chargebackStatuses),
    row({ event: 'CHARGEBACK' }, at('chargeback', 'needs_response')),
    // A chargeback that no NOTIFICATION_OF_CHARGEBACK came before.
    ...statusRows({ event: 'DISPUTE_OPENED_WITH_CHARGEBACK' }, 'chargeback', chargebackStatuses),
    row({ event: 'DISPUTE_OPENED_WITH_CHARGEBACK' }, at('chargeback', 'needs_response')),
    row({ event: 'CHARGEBACK_REVERSED', status: 'Won' }, at('chargeback', 'won')),
    row({ event: 'CHARGEBACK_REVERSED' }, at('chargeback', 'under_review')),
    row({ event: 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED' }, at('chargeback', 'won')),
    row({ event: 'SECOND_CHARGEBACK' }, at('chargeback', 'lost')),
    row({ event: 'DISPUTE_DEFENSE_PERIOD_ENDED', stage: adyenInquiry }, at('inquiry', 'expired')),
    row(
      { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', status: 'Accepted' },
      at('chargeback', 'accepted'),
    ),
    row({ event: 'DISPUTE_DEFENSE_PERIOD_ENDED' }, at('chargeback', 'expired')),
    row({ event: 'PREARBITRATION_OPEN' }, at('pre_arbitration', 'needs_response')),
    row({ event: 'PREARBITRATION_DECLINED' }, at('pre_arbitration', 'under_review')),
    row({ event: 'PREARBITRATION_ACCEPTED' }, at('pre_arbitration', 'accepted')),
    row({ event: 'PREARBITRATION_ISSUER_WITHDRAWN' }, at('pre_arbitration', 'won')),
    row({ event: 'PREARBITRATION_WON' }, at('pre_arbitration', 'won')),
    row({ event: 'PREARBITRATION_LOST' }, at('pre_arbitration', 'lost')),
    row({ event: 'SCHEME_ARBITRATION' }, at('arbitration', 'under_review')),
    row({ event: 'SCHEME_ARBITRATION_WON' }, at('arbitration', 'won')),
    row({ event: 'SCHEME_ARBITRATION_LOST' }, at('arbitration', 'lost')),
  ],
};

function suppliedRows(): readonly PspDisputeRow[] {
  const event = 'INFORMATION_SUPPLIED';
  const { Unresponded, Responded, ...ofChargebacks } = chargebackStatuses;
  return [
    ...statusRows({ event }, 'inquiry', { Unresponded, Responded }),
    row({ event, stage: adyenInquiry }, at('inquiry', 'under_review')),
    ...statusRows({ event }, 'chargeback', ofChargebacks),
    row({ event }, at('chargeback', 'under_review')),
  ];
}
