import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PspConnection } from '../../../src/recovery/operator-api.ts';
import { type AdminWorld, newMerchant, openAdminWorld, rowsOf } from './admin-world.ts';

let world: AdminWorld;
beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const stripe = (secret_key: string): PspConnection => ({
  psp: 'stripe',
  credentials: { secret_key, webhook_secret: 'whsec_1' },
});

async function merchant(): Promise<string> {
  const created = await world.admin.createMerchant(newMerchant());
  return created.merchant.merchantId;
}

async function pspsOf(merchantId: string) {
  return (await world.shown.merchant(merchantId))?.psps;
}

describe('connecting a PSP', () => {
  it('keeps credentials that it accepts, sealed, beside the other connections', async () => {
    const merchantId = await merchant();
    const connected = await world.admin.connectPsp(merchantId, stripe('sk_good'));
    expect(connected).toEqual({
      psp: 'stripe',
      check: { kind: 'accepted', account: 'acct_1' },
      checkedAt: world.clock.now(),
      mode: 'unknown',
      version: 1,
    });
    expect(await pspsOf(merchantId)).toEqual(['sandbox', 'stripe']);
    const sealed = await rowsOf(world.db, 'select sealed from secrets where merchant_id = $1', [
      merchantId,
    ]);
    expect(JSON.stringify(sealed)).not.toContain(Buffer.from('sk_good').toString('hex'));
  });

  it('keeps nothing that it refuses, and says what it said', async () => {
    const merchantId = await merchant();
    await expect(world.admin.connectPsp(merchantId, stripe('sk_refused'))).rejects.toMatchObject({
      code: 'psp_credentials_refused',
      detail: 'Stripe says: The key was revoked.',
    });
    expect(await pspsOf(merchantId)).toEqual(['sandbox']);
  });

  it('keeps them untested when it cannot be reached', async () => {
    const merchantId = await merchant();
    expect(await world.admin.connectPsp(merchantId, stripe('sk_away'))).toMatchObject({
      check: { kind: 'unreachable' },
    });
    expect(await pspsOf(merchantId)).toEqual(['sandbox', 'stripe']);
  });

  it('replaces its credentials, and the next gateway has the new ones', async () => {
    const merchantId = await merchant();
    await world.admin.connectPsp(merchantId, stripe('sk_good'));
    const before = await world.gateways.find({ merchantId, psp: 'stripe' });
    expect(await world.gateways.find({ merchantId, psp: 'stripe' })).toBe(before);
    await world.admin.connectPsp(merchantId, stripe('sk_away'));
    expect(await world.admin.testPsp(merchantId, 'stripe')).toMatchObject({
      check: { kind: 'unreachable' },
    });
    const audited = await rowsOf(
      world.db,
      "select detail from audit_log where merchant_id = $1 and action = 'psp.tested'",
      [merchantId],
    );
    expect(audited).toEqual([{ detail: { psp: 'stripe', tested: 'unreachable' } }]);
  });

  it('keeps the gateway while the credentials stay the same', async () => {
    const merchantId = await merchant();
    await world.admin.connectPsp(merchantId, stripe('sk_good'));
    const before = await world.gateways.find({ merchantId, psp: 'stripe' });
    world.clock.passMs(5_000);
    expect(await world.gateways.find({ merchantId, psp: 'stripe' })).toBe(before);
  });

  it.each([
    ['a PSP that is not supported', { psp: 'paypal', credentials: {} }],
    ['a missing credential', { psp: 'stripe', credentials: { secret_key: 'sk_1' } }],
    [
      'a credential that it does not have',
      { psp: 'sandbox', credentials: { secret_key: 'sk_canary' } },
    ],
  ] as const)('refuses %s', async (_what, connection) => {
    const merchantId = await merchant();
    const refused = world.admin.connectPsp(merchantId, connection);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(refused).rejects.not.toThrow('sk_canary');
  });

  it('gives nothing for a merchant that is not there', async () => {
    expect(await world.admin.connectPsp('mer_none', stripe('sk_good'))).toBeUndefined();
    expect(await world.admin.testPsp('mer_none', 'stripe')).toBeUndefined();
    expect(await world.admin.disconnectPsp('mer_none', 'stripe')).toBeUndefined();
  });
});

it('a merchant is not created with credentials that a PSP refuses', async () => {
  const refused = world.admin.createMerchant(newMerchant({ psps: [stripe('sk_refused')] }));
  await expect(refused).rejects.toMatchObject({ code: 'psp_credentials_refused' });
});

it('disconnecting takes an account away, but never the last connection', async () => {
  const merchantId = await merchant();
  await world.admin.connectPsp(merchantId, stripe('sk_good'));
  expect(await world.admin.disconnectPsp(merchantId, 'stripe')).toEqual({
    psp: 'stripe',
    version: 1,
  });
  expect(await world.admin.disconnectPsp(merchantId, 'stripe')).toBeUndefined();
  expect(await world.gateways.find({ merchantId, psp: 'stripe' })).toBeUndefined();
  expect(await pspsOf(merchantId)).toEqual(['sandbox']);
  await expect(world.admin.disconnectPsp(merchantId, 'sandbox')).rejects.toMatchObject({
    code: 'conflict',
  });
});
