import { describe, expect, it } from 'vitest';
import { type MerchantAuth, type PolicyChoices, policyOf } from '../../../src/domain/merchant.ts';
import type { Psp } from '../../../src/domain/psps.ts';
import { checkMerchant } from '../../../src/recovery/admin/check-merchant.ts';
import type { MerchantChange } from '../../../src/recovery/operator-api.ts';
import { fixedPolicy } from '../../kits/fixed-policy.ts';
import { openGateway, supportedPsps } from '../../kits/psp-fields.ts';

const deps = {
  async checkMerchantUrl(url: string) {
    if (url.startsWith('https://')) return { kind: 'ok' } as const;
    return { kind: 'refused', detail: 'The address must use https.' } as const;
  },
  supportedPsps,
  sandboxAheadMs: () => 0,
  openGateway,
};

const good = {
  name: 'Acme',
  retryStatusUrl: 'https://acme.example/retry/{invoice_id}',
  webhookUrl: 'https://acme.example/webhooks',
  auth: { type: 'none' },
  psps: [{ psp: 'sandbox', credentials: {} }],
  policy: fixedPolicy,
  endOfDunning: false,
} as const satisfies MerchantChange;

const stripe = { secret_key: 'sk_1', webhook_secret: 'whsec_1' };
const apiKey = (api_key: string): MerchantChange => ({ auth: { type: 'api_key', api_key } });
const basic = (username: string, password: string): MerchantChange => ({
  auth: { type: 'basic', username, password },
});
const policy = (change: Partial<PolicyChoices>): MerchantChange => ({
  policy: policyOf({ ...fixedPolicy, shares: {}, ...change }),
});
const connections = (...psps: [psp: Psp, credentials: Record<string, string>][]) => ({
  psps: psps.map(([psp, credentials]) => ({ psp, credentials })),
});

describe('a merchant', () => {
  const accepted: [string, MerchantChange][] = [
    ['with all its fields', good],
    ['without any field', {}],
    ['with an API key of punctuation and inner blanks', apiKey('~k e-y!')],
    ['with Basic credentials in any script', basic('Zoë', 'p:ä ß')],
    ['with a PSP and its credentials', connections(['stripe', stripe], ['sandbox', {}])],
    ['with a last day at the window’s end', policy({ windowDays: 7 })],
    [
      'with an even schedule inside a window shorter than its days',
      policy({ kind: 'even', windowDays: 2 }),
    ],
    ['with the longest name', { name: 'ä'.repeat(200) }],
  ];
  it.each(accepted)('is accepted %s', async (_, fields) => {
    await expect(checkMerchant(deps, fields)).resolves.toHaveLength(fields.psps?.length ?? 0);
  });

  const refused: [MerchantChange, string][] = [
    [{ name: ' ' }, 'name must not be blank.'],
    [{ name: 'x'.repeat(201) }, 'name must have at most 200 characters.'],
    [{ name: 'a\0b' }, 'name must not hold control characters.'],
    [{ name: 'a\ud800' }, 'name must not hold control characters.'],
    [apiKey(''), 'auth.api_key must be 1 to 8192 visible ASCII characters.'],
    [apiKey('a\r\nb'), 'auth.api_key must be 1 to 8192 visible ASCII characters.'],
    [apiKey(' a'), 'auth.api_key must be 1 to 8192 visible ASCII characters.'],
    [apiKey('é'), 'auth.api_key must be 1 to 8192 visible ASCII characters.'],
    [basic('', 'p'), 'auth.username must be 1 to 8192 characters without control characters.'],
    [basic('u', 'p\n'), 'auth.password must be 1 to 8192 characters without control characters.'],
    [basic('a:b', 'p'), 'auth.username must not hold a colon.'],
    [{ psps: [] }, 'psps must name at least one PSP.'],
    [connections(['adyen', {}]), 'psps[0].psp must be one of sandbox, stripe.'],
    [connections(['sandbox', {}], ['sandbox', {}]), 'psps[1].psp names sandbox twice.'],
    [
      connections(['stripe', { secret_key: 'sk_1' }]),
      'psps[0].webhook_secret is required by stripe.',
    ],
    [
      connections(['stripe', { ...stripe, secret_key: '' }]),
      'psps[0].secret_key must be 1 to 8192 characters.',
    ],
    [connections(['sandbox', { secret: 'x' }]), 'psps[0] has fields that sandbox does not use.'],
    [policy({ windowDays: 0 }), 'policy.window_days must be a whole number from 1 to 60.'],
    [policy({ windowDays: 61 }), 'policy.window_days must be a whole number from 1 to 60.'],
    [policy({ windowDays: 7.5 }), 'policy.window_days must be a whole number from 1 to 60.'],
    [policy({ maxAttempts: 21 }), 'policy.max_attempts must be a whole number from 1 to 20.'],
    [policy({ fixedDays: [] }), 'policy.fixed_days must name 1 to 20 days.'],
    [
      policy({ fixedDays: Array.from({ length: 21 }, (_, day) => day + 1) }),
      'policy.fixed_days must name 1 to 20 days.',
    ],
    [policy({ fixedDays: [0, 1] }), 'policy.fixed_days must be whole numbers from 1 to 60.'],
    [policy({ fixedDays: [1.5] }), 'policy.fixed_days must be whole numbers from 1 to 60.'],
    [policy({ fixedDays: [1, 3, 3] }), 'policy.fixed_days must rise from day to day.'],
    [policy({ fixedDays: [3, 1] }), 'policy.fixed_days must rise from day to day.'],
    [policy({ windowDays: 6 }), 'policy.fixed_days must lie inside the window of 6 days.'],
  ];
  it.each(refused)('is refused %j: %s', async (fields, detail) => {
    const refusal = checkMerchant(deps, { ...good, ...fields });
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_request', detail });
  });

  it('is told every fault at once', async () => {
    const fields = { ...good, name: '', psps: [] };
    await expect(checkMerchant(deps, fields)).rejects.toMatchObject({
      detail: 'name must not be blank. psps must name at least one PSP.',
    });
  });

  it.each([
    ['retryStatusUrl', 'retry_status_url'],
    ['webhookUrl', 'webhook_url'],
  ])('is refused with a %s that may not be called', async (property, field) => {
    const fields = { ...good, [property]: 'http://acme.example/{invoice_id}' };
    await expect(checkMerchant(deps, fields)).rejects.toMatchObject({
      code: 'merchant_url_refused',
      detail: `${field} is refused: The address must use https.`,
    });
  });

  it('never finds its secrets in the refusal', async () => {
    const secrets: MerchantAuth[] = [
      { type: 'api_key', api_key: 'canary-1\n' },
      { type: 'basic', username: 'canary-2:', password: 'canary-3\0' },
    ];
    for (const auth of secrets) {
      const fields = { auth, ...connections(['stripe', { canary4: 'canary-5' }]) };
      const refusal = await checkMerchant(deps, fields).catch(String);
      expect(refusal).toContain('auth.');
      expect(refusal).not.toContain('canary');
    }
  });
});
