import { describe, expect, it } from 'vitest';
import { checkoutIdentity, readAccount } from '../../../src/psp/checkout/credentials.ts';

const right = {
  secret_key: 'sk_sbox_abcdefghijklmnopqrstuvwxyz2',
  environment: 'sandbox',
  processing_channel_id: 'pc_acme',
  subdomain: 'acme1234',
};
const previousTest = 'sk_test_0123abcd-01ab-01ab-01ab-0123456789ab';
const previousLive = 'sk_0123abcd-01ab-01ab-01ab-0123456789ab';

describe('the credentials of Checkout.com', () => {
  it('open an account at its own address, in the sandbox and in production', () => {
    expect(readAccount(right)).toEqual({
      account: {
        authorization: `Bearer ${right.secret_key}`,
        mode: 'test',
        host: 'https://acme1234.api.sandbox.checkout.com',
        processingChannelId: 'pc_acme',
      },
    });
    const live = {
      ...right,
      secret_key: 'sk_abcdefghijklmnopqrstuvwxyz#',
      environment: 'production',
    };
    expect(readAccount({ ...live, webhook_secret: 's' })).toEqual({
      account: {
        authorization: `Bearer ${live.secret_key}`,
        mode: 'live',
        host: 'https://acme1234.api.checkout.com',
        processingChannelId: 'pc_acme',
        webhookSecret: 's',
      },
    });
  });

  it('of the previous platform need neither channel nor subdomain', () => {
    expect(readAccount({ secret_key: previousTest, environment: 'sandbox' })).toEqual({
      account: {
        authorization: previousTest,
        mode: 'test',
        host: 'https://api.sandbox.checkout.com',
      },
    });
    expect(readAccount({ secret_key: previousLive, environment: 'production' })).toEqual({
      account: { authorization: previousLive, mode: 'live', host: 'https://api.checkout.com' },
    });
  });

  it.each([
    ['secret_key', { secret_key: '' }],
    ['secret_key', { secret_key: `x${right.secret_key}` }],
    ['secret_key', { secret_key: `${right.secret_key}x` }],
    ['secret_key', { secret_key: 'sk_sbox_abcdefghijklmnopqrstuvwxyz' }],
    ['secret_key', { secret_key: 'sk_sbox_0bcdefghijklmnopqrstuvwxyz2' }],
    ['secret_key', { secret_key: `x${previousTest}` }],
    ['secret_key', { secret_key: `${previousTest}x` }],
    ['environment', { environment: 'test' }],
    ['environment', { environment: '' }],
    ['the other environment', { environment: 'production' }],
    ['the other environment', { secret_key: 'sk_abcdefghijklmnopqrstuvwxyz2' }],
    ['the other environment', { secret_key: previousTest, environment: 'production' }],
    ['processing_channel_id', { processing_channel_id: '' }],
    ['processing_channel_id', { processing_channel_id: 'pc_' }],
    ['processing_channel_id', { processing_channel_id: 'xpc_acme' }],
    ['processing_channel_id', { processing_channel_id: 'pc_acme/..' }],
    ['subdomain', { subdomain: '' }],
    ['subdomain', { subdomain: 'evil.example/' }],
    ['subdomain', { subdomain: '/acme' }],
    ['subdomain', { subdomain: 'acme.' }],
  ])('name %s where that cannot be right: %j', (word, change) => {
    expect(readAccount({ ...right, ...change })).toEqual({ fault: expect.stringContaining(word) });
  });

  it('name the account by its address and channel; those of the previous platform name none', () => {
    const identityOf = (credentials: Record<string, string>) => {
      const read = readAccount(credentials);
      if ('fault' in read) throw new Error(read.fault);
      return checkoutIdentity(read.account);
    };
    expect(identityOf(right)).toEqual({
      mode: 'test',
      accountId: 'acme1234.api.sandbox.checkout.com/pc_acme',
    });
    expect(identityOf({ secret_key: previousLive, environment: 'production' })).toEqual({
      mode: 'live',
    });
  });
});
