import type { PacketFacts } from '../../src/disputes/evidence/packet-facts.ts';
import { daysBeforeCharge, disputedCharge, priorPair } from './dispute-cases.ts';

/** A dispute at Stripe that is eligible, with a customer whose name is Greek and Cyrillic. */
export function packetFacts(changes: Partial<PacketFacts> = {}): PacketFacts {
  const money = { amountMinor: 4_900, currency: 'EUR' };
  return {
    dispute: {
      id: 'du_1',
      state: { kind: 'dispute', stage: 'chargeback', status: 'needs_response' },
      money,
      respondBy: {
        at: new Date('2026-06-20T23:59:59Z'),
        source: 'stripe: evidence_details.due_by',
        isPspsOwn: true,
      },
    },
    merchantName: 'Acme Software Ltd',
    customer: { name: 'Žofie Παπαδοπούλου-Щербакова', customerId: 'cus_1' },
    disputed: disputedCharge({ merchandiseOrServices: 'services' }),
    candidates: priorPair(),
    providedAt: new Date('2026-06-01T12:00:00Z'),
    timeline: [
      {
        at: daysBeforeCharge(230),
        kind: 'checkout',
        words: 'The customer subscribed to Acme Pro',
        reference: 'ch_prior_2',
        money,
      },
      {
        at: daysBeforeCharge(200),
        kind: 'renewal',
        words: 'Renewed for a month',
        reference: 'ch_prior_1',
        money,
      },
      {
        at: daysBeforeCharge(0),
        kind: 'retry',
        words: 'Charged after one decline',
        reference: 'ch_disputed',
        money,
        merchantAgreedAt: new Date('2026-06-01T11:59:58Z'),
      },
      {
        at: new Date('2026-06-01T12:00:05Z'),
        kind: 'webhook_delivery',
        words: 'The merchant was told, and answered with 200',
        reference: 'evt_1',
      },
      {
        at: new Date('2026-06-02T08:00:00Z'),
        kind: 'refund',
        words: 'Refunded in part as goodwill',
        reference: 're_1',
        money: { amountMinor: 900, currency: 'EUR' },
      },
    ],
    ...changes,
  };
}
