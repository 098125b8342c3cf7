import { describe, expect, test } from 'vitest';
import { disputeStateName } from '../../../../src/domain/disputes/normalise/dispute-state.ts';
import { normaliseDispute } from '../../../../src/domain/disputes/normalise/normalise-dispute.ts';
import type { PspDisputeSaid } from '../../../../src/domain/disputes/normalise/psp-dispute-rows.ts';
import { type Psp, pspFacts, psps } from '../../../../src/domain/psps.ts';

describe('states', () => {
  test.each<[Psp, PspDisputeSaid, string, string]>([
    ['stripe', { event: 'radar.early_fraud_warning.created' }, 'fraud_warning', ''],
    ['stripe', { stage: 'inquiry', status: 'warning_needs_response' }, 'inquiry_open', 'inquiry'],
    ['stripe', { status: 'warning_under_review' }, 'inquiry_review', 'inquiry'],
    ['stripe', { status: 'warning_closed' }, 'inquiry_closed', 'inquiry'],
    ['stripe', { stage: 'chargeback', status: 'needs_response' }, 'needs_response', 'chargeback'],
    ['stripe', { stage: 'compliance', status: 'needs_response' }, 'needs_response', 'compliance'],
    ['stripe', { stage: 'block', status: 'prevented' }, 'prevented', 'pre_dispute'],
    ['adyen', { event: 'NOTIFICATION_OF_FRAUD' }, 'fraud_warning', ''],
    ['adyen', { event: 'REQUEST_FOR_INFORMATION' }, 'inquiry_open', 'inquiry'],
    [
      'adyen',
      { event: 'REQUEST_FOR_INFORMATION', status: 'Responded' },
      'inquiry_review',
      'inquiry',
    ],
    ['adyen', { event: 'INFORMATION_SUPPLIED' }, 'under_review', 'chargeback'],
    ['adyen', { event: 'INFORMATION_SUPPLIED', status: 'Pending' }, 'under_review', 'chargeback'],
    [
      'adyen',
      { event: 'INFORMATION_SUPPLIED', status: 'Undefended' },
      'needs_response',
      'chargeback',
    ],
    ['adyen', { event: 'INFORMATION_SUPPLIED', status: 'Responded' }, 'inquiry_review', 'inquiry'],
    ['adyen', { event: 'INFORMATION_SUPPLIED', stage: 'rfi' }, 'inquiry_review', 'inquiry'],
    ['adyen', { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', stage: 'rfi' }, 'expired', 'inquiry'],
    ['adyen', { event: 'CHARGEBACK', status: 'Undefended' }, 'needs_response', 'chargeback'],
    ['adyen', { event: 'CHARGEBACK', status: ' Responded' }, 'under_review', 'chargeback'],
    ['adyen', { event: 'CHARGEBACK' }, 'needs_response', 'chargeback'],
    ['adyen', { event: 'CHARGEBACK_REVERSED', status: 'Pending' }, 'under_review', 'chargeback'],
    ['adyen', { event: 'CHARGEBACK_REVERSED', status: 'Won' }, 'won', 'chargeback'],
    ['adyen', { event: 'SECOND_CHARGEBACK', status: 'Lost' }, 'lost', 'chargeback'],
    [
      'adyen',
      { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', status: 'Expired' },
      'expired',
      'chargeback',
    ],
    ['adyen', { event: 'PREARBITRATION_OPEN' }, 'pre_arbitration', 'pre_arbitration'],
    ['adyen', { event: 'PREARBITRATION_LOST' }, 'lost', 'pre_arbitration'],
    ['adyen', { event: 'SCHEME_ARBITRATION_WON' }, 'won', 'arbitration'],
    ['braintree', { stage: 'RETRIEVAL', status: 'OPEN' }, 'inquiry_open', 'inquiry'],
    ['braintree', { stage: 'chargeback', status: 'disputed' }, 'under_review', 'chargeback'],
    [
      'braintree',
      { stage: 'pre_arbitration', status: 'open' },
      'pre_arbitration',
      'pre_arbitration',
    ],
    ['braintree', { status: 'auto_accepted' }, 'accepted', 'chargeback'],
    ['braintree', { program: 'visa_rdr', status: 'lost' }, 'prevented', 'pre_dispute'],
    ['checkout', { event: 'dispute_evidence_required' }, 'needs_response', 'chargeback'],
    ['checkout', { status: 'arbitration_under_review' }, 'arbitration', 'arbitration'],
    ['checkout', { status: 'resolved' }, 'prevented', 'pre_dispute'],
    ['checkout', { status: 'canceled' }, 'inquiry_closed', 'inquiry'],
    ['paypal', { program: 'ALERT', status: 'OPEN' }, 'fraud_warning', ''],
    ['paypal', { stage: 'INQUIRY', status: 'OPEN' }, 'inquiry_open', 'inquiry'],
    ['paypal', { stage: 'INQUIRY', status: 'RESOLVED' }, 'inquiry_closed', 'inquiry'],
    [
      'paypal',
      { stage: 'CHARGEBACK', status: 'WAITING_FOR_SELLER_RESPONSE' },
      'needs_response',
      'chargeback',
    ],
    [
      'paypal',
      { stage: 'CHARGEBACK', status: 'RESOLVED', outcome: 'RESOLVED_SELLER_FAVOUR' },
      'won',
      'chargeback',
    ],
    ['paypal', { stage: 'ARBITRATION', status: 'UNDER_REVIEW' }, 'arbitration', 'arbitration'],
    ['worldpay', { event: 'chargedBack' }, 'needs_response', 'chargeback'],
  ])('%s %j is %s', (psp, said, name, stage) => {
    const state = normaliseDispute(psp, said);
    if (state === undefined) throw new Error('no row knows it');
    expect(disputeStateName(state)).toBe(name);
    expect(state.kind === 'dispute' ? state.stage : '').toBe(stage);
  });

  test('words that nobody knows give nothing', () => {
    expect(normaliseDispute('stripe', { status: 'constructor' })).toBeUndefined();
    expect(normaliseDispute('recharge', { status: 'won' })).toBeUndefined();
  });

  test('every row is reached by its own words', () => {
    for (const psp of psps) {
      for (const { when, state } of pspFacts[psp].disputes?.rows ?? []) {
        expect([psp, when, normaliseDispute(psp, when)]).toEqual([psp, when, state]);
      }
    }
  });
});
