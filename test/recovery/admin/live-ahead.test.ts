import { describe, expect, it } from 'vitest';
import type { AccountMode } from '../../../src/domain/psps.ts';
import { testConnection, testConnections } from '../../../src/recovery/admin/psp-accounts.ts';
import type { PspConnection } from '../../../src/recovery/operator-api.ts';
import type { PspGateway } from '../../../src/recovery/psp-ports.ts';
import { onlyGateway } from '../../kits/gateways.ts';
import { supportedPsps } from '../../kits/psp-fields.ts';

const connection: PspConnection = { psp: 'stripe', credentials: { secret_key: 'sk_1' } };

async function depsOf(mode: AccountMode, sandboxAheadMs: number) {
  const gateway = await onlyGateway({
    identity: { mode },
    checkCredentials: async () => ({ kind: 'accepted' }),
  }).findGateway({ merchantId: 'mer_1', psp: 'stripe' });
  const openGateway = (): PspGateway | undefined => gateway;
  return { supportedPsps, openGateway, sandboxAheadMs: () => sandboxAheadMs };
}

describe('an account that is connected while the sandbox’s clock stands ahead', () => {
  it.each(['live', 'unknown'] as const)('is refused where it is %s', async (mode) => {
    const deps = await depsOf(mode, 1);
    const refused = { code: 'clock_not_movable', detail: expect.stringContaining('moved ahead') };
    await expect(testConnection(deps, connection)).rejects.toMatchObject(refused);
    const bare = { ...connection, credentials: {} };
    await expect(testConnections(deps, [bare])).rejects.toMatchObject(refused);
  });

  it.each(['test', 'sandbox'] as const)('is taken where it is of a %s', async (mode) => {
    const deps = await depsOf(mode, 1);
    await expect(testConnection(deps, connection)).resolves.toMatchObject({ mode });
  });
});

it('a live account is taken while the clock was not moved', async () => {
  const deps = await depsOf('live', 0);
  await expect(testConnection(deps, connection)).resolves.toMatchObject({ mode: 'live' });
});
