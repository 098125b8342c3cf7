import type { Merchant } from '../../src/domain/merchant.ts';
import { fixedPolicy } from '../kits/fixed-policy.ts';

/** A merchant whose server is at these addresses. */
export function merchantAt(server: {
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
}): Merchant {
  return {
    merchantId: 'mer_test',
    name: 'Test',
    retryStatusUrl: server.retryStatusUrl,
    webhookUrl: server.webhookUrl,
    policy: fixedPolicy,
    endOfDunning: false,
    psps: ['sandbox'],
    createdAt: new Date('2026-01-01T00:00:00Z'),
  };
}
