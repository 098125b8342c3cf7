import { describe, expect, it } from 'vitest';
import { publishableKey, restrictedKey } from '../../kits/psps/stripe/keys.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

const enough = [
  'payment_intent_write',
  'charge_write',
  'invoice_write',
  'invoice_payment_read',
  'subscription_read',
  'customer_read',
  'event_read',
];

describe('the credentials of Stripe', () => {
  it('open an account with a name', async () => {
    expect(await gatewayTo(await stripe()).checkCredentials()).toEqual({
      kind: 'accepted',
      account: 'Test shop (acct_1)',
      accountId: 'acct_1',
    });
  });

  it('of a whole account are not asked what they may do: one question is all', async () => {
    const server = await stripe();
    const before = server.requests.length;
    await gatewayTo(server).checkCredentials();
    expect(server.requests.length - before).toBe(1);
  });

  it('are accepted with a warning where no webhook can be verified', async () => {
    const server = await stripe();
    const { webhook_secret: _, ...credentials } = server.credentials;
    const gateway = gatewayTo({ ...server, credentials });
    expect(await gateway.checkCredentials()).toMatchObject({
      kind: 'accepted',
      warnings: ['Without webhook_secret no webhook of Stripe is taken.'],
    });
  });

  it.each([
    ['a publishable key', publishableKey, 'must be a secret key'],
    ['a webhook secret', 'whsec_1', 'must be a secret key'],
    ['a key of nobody', 'sk_test_of_nobody', 'does not know this secret_key'],
    [
      'a restricted key that may read only',
      restrictedKey('payment_intent_read', 'charge_read'),
      'write, rak_invoice_write, rak_invoice_payment_read, rak_subscription_read, rak_customer_read',
    ],
  ])('are refused with %s', async (_what, key, words) => {
    const gateway = gatewayTo(await stripe(), { credentials: { secret_key: key } });
    const check = await gateway.checkCredentials();
    expect(check).toMatchObject({ kind: 'refused', reason: expect.stringContaining(words) });
    expect(JSON.stringify(check)).not.toContain(key);
  });

  it('are refused for a connected account that is not theirs', async () => {
    const gateway = gatewayTo(await stripe(), { credentials: { account: 'acct_of_another' } });
    expect(await gateway.checkCredentials()).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('check account'),
    });
  });

  it('of a restricted key are accepted without reading the account, and move nothing', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server, { credentials: { secret_key: restrictedKey(...enough) } });
    expect(await gateway.checkCredentials()).toEqual({ kind: 'accepted' });
    expect(server.world.all('payment_intent')).toEqual([]);
  });

  it('of a restricted key that may make no refunds or read no events are accepted with a warning', async () => {
    const server = await stripe();
    const { charge } = server.failedSubscriptionInvoice({ methodId: 'pm_success' });
    const withoutRefunds = enough.map((name) => (name === 'charge_write' ? 'charge_read' : name));
    const check = (...permissions: readonly string[]) =>
      gatewayTo(server, {
        credentials: { secret_key: restrictedKey(...permissions) },
      }).checkCredentials();
    expect(await check(...withoutRefunds)).toEqual({
      kind: 'accepted',
      warnings: ['The key may make no refunds of incidents: give it rak_charge_write.'],
    });
    expect(await check(...enough.filter((name) => name !== 'event_read'))).toEqual({
      kind: 'accepted',
      warnings: [
        "The key may not read which charges of an invoice are ours and which Stripe's own: give it rak_event_read.",
      ],
    });
    expect(await check(...enough)).toEqual({ kind: 'accepted' });
    expect(charge.amount_refunded).toBe(0);
  });
});
