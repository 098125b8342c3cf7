import type { CheckoutElements } from '../../src/domain/disputes/ce3/elements.ts';
import type {
  DisputedTransaction,
  PriorTransaction,
} from '../../src/domain/disputes/ce3/transactions.ts';
import { normaliseReason } from '../../src/domain/disputes/normalise/normalise-reason.ts';
import type { ReportedDispute } from '../../src/domain/disputes/reported-dispute.ts';

const dayMs = 86_400_000;
export const processedAt = new Date('2026-06-01T12:00:00Z');
export const disputedAt = new Date('2026-06-05T09:00:00Z');

/** The noon that lies whole UTC days before the disputed charge was processed. */
export function daysBeforeCharge(days: number): Date {
  return new Date(processedAt.getTime() - days * dayMs);
}

export const elements: CheckoutElements = {
  ip: '81.2.69.142',
  deviceId: 'device-0123456789',
  email: 'jane@example.com',
  emailIsLogin: false,
  inherited: [],
};

/** A Stripe charge that is disputed for fraud, and lacks nothing. */
export function disputedCharge(changes: Partial<DisputedTransaction> = {}): DisputedTransaction {
  const reason = normaliseReason('visa', '10.4');
  if (reason === undefined) throw new Error('10.4 is a reason of Visa');
  return {
    id: 'ch_disputed',
    psp: 'stripe',
    credential: 'fp_1',
    processedAt,
    disputedAt,
    money: { amountMinor: 4_900, currency: 'EUR' },
    descriptor: 'ACME* PRO',
    productDescription: 'Acme Pro, one month',
    initiatedBy: 'customer',
    merchandiseOrServices: 'services',
    reason,
    elements,
    ...changes,
  };
}

/** A charge of the same customer, 200 days before, that qualifies as a prior everywhere. */
export function priorCharge(changes: Partial<PriorTransaction> = {}): PriorTransaction {
  return {
    id: 'ch_prior_1',
    psp: 'stripe',
    credential: 'fp_1',
    processedAt: daysBeforeCharge(200),
    money: { amountMinor: 4_900, currency: 'EUR' },
    arn: '74537604221222100000001',
    descriptor: 'ACME* PRO',
    productDescription: 'Acme Pro, one month',
    initiatedBy: 'customer',
    elements,
    isPaid: true,
    isDisputed: false,
    hasFraudReport: false,
    isValidation: false,
    ...changes,
  };
}

/** Two such priors, 200 and 230 days old. */
export function priorPair(changes: Partial<PriorTransaction> = {}): readonly PriorTransaction[] {
  return [
    priorCharge(changes),
    priorCharge({ id: 'ch_prior_2', processedAt: daysBeforeCharge(230), ...changes }),
  ];
}

/** A chargeback as a PSP tells of it; fraud, of Visa, with ten days left. */
export function disputeOf(changes: Partial<ReportedDispute> = {}): ReportedDispute {
  return {
    pspDisputeId: 'dp_1',
    kind: 'dispute',
    stage: 'chargeback',
    status: 'needs_response',
    network: 'visa',
    reason: 'fraudulent',
    reasonCode: '10.4',
    reasonFamily: 'fraud',
    money: { amountMinor: 4_900, currency: 'EUR' },
    openedAt: disputedAt,
    chargedAt: processedAt,
    respondBy: new Date(disputedAt.getTime() + 10 * dayMs),
    paymentIds: ['ch_disputed'],
    ...changes,
  } as ReportedDispute;
}
