import { expect, test } from 'vitest';
import type { DisputeState } from '../../../../src/domain/disputes/normalise/dispute-state.ts';
import { daysLeft, respondBy } from '../../../../src/domain/disputes/normalise/respond-by.ts';
import type { Psp } from '../../../../src/domain/psps.ts';

const stageBegunAt = new Date('2026-06-01T10:00:00Z');
const open = (
  stage: 'chargeback' | 'inquiry' | 'pre_arbitration' | 'compliance',
): DisputeState => ({
  kind: 'dispute',
  stage,
  status: 'needs_response',
});

test("the PSP's own date wins", () => {
  const pspDeadline = new Date('2026-06-09T00:00:00Z');
  expect(
    respondBy({ psp: 'stripe', state: open('chargeback'), stageBegunAt, pspDeadline }),
  ).toEqual({
    at: pspDeadline,
    source: 'stripe: evidence_details.due_by',
    isPspsOwn: true,
  });
});

test.each([
  ['adyen', 'visa', 'chargeback', 18],
  ['adyen', 'mastercard', 'chargeback', 40],
  ['adyen', 'amex', 'inquiry', 14],
  // Of two sources the shorter time: Chargeflow names 30 for Visa, Adyen 18.
  ['checkout', 'visa', 'chargeback', 18],
  ['braintree', 'unionpay', 'chargeback', 30],
  ['stripe', 'visa', 'chargeback', 7],
  ['paypal', 'visa', 'inquiry', 20],
  ['braintree', 'visa', 'pre_arbitration', 10],
] as const)('%s, %s, %s: %i days', (psp, network, stage, days) => {
  const due = respondBy({ psp, network, state: open(stage), stageBegunAt });
  expect(due?.isPspsOwn).toBe(false);
  expect(daysLeft(due?.at ?? stageBegunAt, stageBegunAt)).toBe(days);
});

test.each<[Psp, DisputeState]>([
  ['adyen', { kind: 'fraud_warning' }],
  ['adyen', { kind: 'dispute', stage: 'chargeback', status: 'under_review' }],
  ['adyen', open('compliance')],
])('%s %j has no deadline', (psp, state) => {
  expect(respondBy({ psp, network: 'visa', state, stageBegunAt })).toBeUndefined();
});

test('days left are those of the UTC calendar', () => {
  const deadline = new Date('2026-06-10T00:30:00Z');
  expect(daysLeft(deadline, new Date('2026-06-09T23:59:00Z'))).toBe(1);
  expect(daysLeft(deadline, new Date('2026-06-10T23:00:00Z'))).toBe(0);
  expect(daysLeft(deadline, new Date('2026-06-11T00:00:00Z'))).toBe(-1);
});
