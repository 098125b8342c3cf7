import { describe, expect, it } from 'vitest';
import type { PolicySettings } from '../../../src/domain/merchant.ts';
import { auditedChange, auditedMerchant } from '../../../src/recovery/admin/audited-merchant.ts';
import { policyFaults } from '../../../src/recovery/admin/check-policy.ts';
import type { MerchantView } from '../../../src/recovery/operator-api.ts';

const fixed = { kind: 'fixed', windowDays: 28, maxAttempts: 8, fixedDays: [1, 3] } as const;
const days = (fixedDays: readonly number[], change: Partial<PolicySettings> = {}) =>
  policyFaults({ ...fixed, fixedDays, ...change } as PolicySettings);

describe('retry settings', () => {
  it.each([
    [{ windowDays: 1, fixedDays: [1] }, []],
    [{ windowDays: 60 }, []],
    [{ windowDays: 61 }, ['policy.window_days must be a whole number from 1 to 60.']],
    [{ windowDays: 0 }, ['policy.window_days must be a whole number from 1 to 60.']],
    [{ windowDays: 1.5 }, ['policy.window_days must be a whole number from 1 to 60.']],
    [{ maxAttempts: 1 }, []],
    [{ maxAttempts: 20 }, []],
    [{ maxAttempts: 21 }, ['policy.max_attempts must be a whole number from 1 to 20.']],
    [{ maxAttempts: 0 }, ['policy.max_attempts must be a whole number from 1 to 20.']],
  ])('with %j have the faults %j', (change, faults) => {
    expect(policyFaults({ ...fixed, ...change })).toEqual(faults);
  });

  it('name one to twenty whole days that rise inside the window', () => {
    const twenty = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(days(twenty)).toEqual([]);
    expect(days([28])).toEqual([]);
    expect(days([])).toEqual(['policy.fixed_days must name 1 to 20 days.']);
    expect(days([...twenty, 21])).toEqual(['policy.fixed_days must name 1 to 20 days.']);
    for (const wrong of [[0], [1.5], [61], [-1, 2]]) {
      expect(days(wrong)).toEqual(['policy.fixed_days must be whole numbers from 1 to 60.']);
    }
    expect(days([3, 3])).toEqual(['policy.fixed_days must rise from day to day.']);
    expect(days([29])).toEqual(['policy.fixed_days must lie inside the window of 28 days.']);
    expect(
      policyFaults({ kind: 'even', windowDays: 28, maxAttempts: 8, kept: { fixedDays: [60] } }),
    ).toEqual([]);
  });

  it.each([
    [{ holdoutShare: 0 }, []],
    [{ holdoutShare: 0.5, learnedShare: 1, exploreShare: 0.2 }, []],
    [{ holdoutShare: 0.51 }, ['policy.holdout_share must be a number from 0 to 0.5.']],
    [{ holdoutShare: -0.1 }, ['policy.holdout_share must be a number from 0 to 0.5.']],
    [{ learnedShare: 1.1 }, ['policy.learned_share must be a number from 0 to 1.']],
    [{ exploreShare: 0.21 }, ['policy.explore_share must be a number from 0 to 0.2.']],
    [{ exploreShare: Number.NaN }, ['policy.explore_share must be a number from 0 to 0.2.']],
  ])('with the shares %j have the faults %j', (shares, faults) => {
    expect(policyFaults({ ...fixed, kind: 'learned', ...shares })).toEqual(faults);
  });
});

describe('settings in the audit log', () => {
  const merchant = {
    merchantId: 'mer_1',
    name: 'Acme',
    retryStatusUrl: 'https://user:secret@a.example:8443/retry/{invoice_id}?key=secret#secret',
    webhookUrl: 'https://a.example',
    policy: fixed,
    endOfDunning: false,
    psps: ['stripe'],
    authType: 'bearer',
  } as unknown as MerchantView;

  it('have no user and no query of an address', () => {
    const audited = auditedMerchant(merchant);
    expect(audited).toMatchObject({
      retry_status_url: 'https://a.example:8443/retry/{invoice_id}?…',
      webhook_url: 'https://a.example',
      incident_events: false,
      customer_action_events: false,
      webhook_quick_sends: false,
    });
    expect(JSON.stringify(audited)).not.toContain('secret');
    expect(auditedMerchant({ ...merchant, webhookUrl: 'https://a.example/h#x' }).webhook_url).toBe(
      'https://a.example/h',
    );
  });

  it('of a change are what differs', () => {
    const after = {
      ...merchant,
      name: 'Acme 2',
      psps: ['stripe', 'adyen'],
    } as unknown as MerchantView;
    expect(auditedChange(merchant, after)).toEqual({
      before: { name: 'Acme', psps: ['stripe'] },
      after: { name: 'Acme 2', psps: ['stripe', 'adyen'] },
    });
    expect(auditedChange(merchant, merchant)).toEqual({ before: {}, after: {} });
  });
});
