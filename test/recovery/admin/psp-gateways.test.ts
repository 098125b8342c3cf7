import { expect, it } from 'vitest';
import { secondMs } from '../../../src/domain/clock.ts';
import { createMerchantRecords } from '../../../src/recovery/admin/merchant-records.ts';
import type { KeptPspConnection } from '../../../src/recovery/admin/psp-account-ports.ts';
import { createPspGateways } from '../../../src/recovery/admin/psp-gateways.ts';
import { openGateway } from '../../kits/psp-fields.ts';
import { merchant } from '../engine/payment-context.ts';
import { manualClock } from './admin-world.ts';

const connection: KeptPspConnection = {
  psp: 'stripe',
  credentials: { secret_key: 'sk_1' },
  version: 1,
  mode: 'test',
  isActive: true,
};

function gatewaysOf(kept: Record<string, readonly KeptPspConnection[]>, mode?: 'live') {
  const clock = manualClock();
  const connects: unknown[] = [];
  const readMerchant = async (merchantId: string) => ({
    merchant: { ...merchant, merchantId },
    openSecrets: async () => ({ auth: { type: 'none' as const }, signingSecrets: [] }),
    openConnections: async () => kept[merchantId] ?? [],
  });
  const gateways = createPspGateways({
    records: createMerchantRecords({ clock, reads: { readMerchant } }),
    connect(asked) {
      connects.push(asked.credentials.secret_key);
      if (asked.credentials.secret_key === 'sk_broken') throw new Error('no such library');
      const gateway = openGateway(asked);
      if (gateway === undefined || mode === undefined) return gateway;
      return { ...gateway, identity: { mode } };
    },
  });
  return { clock, connects, gateways };
}

it('a gateway stays while its credentials do, whatever other merchants are asked for', async () => {
  const kept = { a: [connection], b: [{ ...connection, credentials: { secret_key: 'sk_b' } }] };
  const { clock, connects, gateways } = gatewaysOf(kept);
  const find = (merchantId: string) => gateways.find({ merchantId, psp: 'stripe' });
  const first = await find('a');
  for (let turn = 0; turn < 3; turn += 1) {
    await find('b');
    clock.passMs(secondMs + 1);
    expect(await find('a')).toBe(first);
  }
  expect(connects).toEqual(['sk_1', 'sk_b']);
  kept.a = [{ ...connection, credentials: { secret_key: 'sk_2' } }];
  clock.passMs(secondMs + 1);
  expect(await find('a')).not.toBe(first);
  expect(connects).toEqual(['sk_1', 'sk_b', 'sk_2']);
});

it('the mode is the one that was kept; of a connection without one it is what the gateway knows', async () => {
  const modeOf = async (mode: KeptPspConnection['mode'], known?: 'live') => {
    const { gateways } = gatewaysOf({ a: [{ ...connection, mode }] }, known);
    return (await gateways.find({ merchantId: 'a', psp: 'stripe' }))?.connection.mode;
  };
  expect(await modeOf('test', 'live')).toBe('test');
  expect(await modeOf('unknown', 'live')).toBe('live');
  expect(await modeOf('unknown')).toBe('unknown');
});

it('accounts are listed with the active one first, then the newest; each is found by its version', async () => {
  const retired = (version: number) => ({ ...connection, version, isActive: false });
  const { gateways } = gatewaysOf({
    a: [retired(1), { ...connection, version: 3 }, { ...retired(4), psp: 'sandbox' }, retired(2)],
  });
  const key = { merchantId: 'a', psp: 'stripe' } as const;
  const versions = (await gateways.list(key)).map((each) => each.connection.version);
  expect(versions).toEqual([3, 2, 1]);
  expect((await gateways.find(key))?.connection).toEqual({
    version: 3,
    mode: 'test',
    isActive: true,
  });
  expect((await gateways.find({ ...key, version: 2 }))?.connection.version).toBe(2);
  expect(await gateways.find({ ...key, version: 4 })).toBeUndefined();
  expect(await gateways.find({ ...key, merchantId: 'b' })).toBeUndefined();
});

it('an account is opened when its own PSP is asked for, and again after it failed', async () => {
  const { connects, gateways } = gatewaysOf({
    a: [connection, { ...connection, psp: 'adyen', credentials: { secret_key: 'sk_broken' } }],
  });
  const find = (psp: 'stripe' | 'adyen') => gateways.find({ merchantId: 'a', psp });
  expect(await find('stripe')).toBeDefined();
  expect(connects).toEqual(['sk_1']);
  await expect(find('adyen')).rejects.toThrow('no such library');
  await expect(find('adyen')).rejects.toThrow('no such library');
  expect(await find('stripe')).toBe(await find('stripe'));
  expect(connects).toEqual(['sk_1', 'sk_broken', 'sk_broken']);
});
