import { isDeepStrictEqual } from 'node:util';
import { type Clock, secondMs } from '../../domain/clock.ts';
import type { PspConnectionKey } from '../engine/deps.ts';
import type { PspConnection } from '../operator-api.ts';
import type { PspGateway } from '../psp-ports.ts';
import type { MerchantReads } from './ports.ts';
import { TtlCache } from './ttl-cache.ts';

/** How long another process may go on with credentials that were changed. */
const ttlMs = secondMs;
/** Merchants whose gateways are kept at once. */
const most = 10_000;

export interface PspGateways<Gateway extends PspGateway = PspGateway> {
  /** The merchant's account at the PSP; undefined where it has no connection there. */
  find(key: PspConnectionKey): Promise<Gateway | undefined>;
  /** To be called after each committed change of a merchant's connections. */
  forget(merchantId: string): void;
}

type Kept<Gateway> = Readonly<Record<string, PspConnection & { readonly gateway: Gateway }>>;

/**
 * Gateways by merchant, made of its sealed credentials. They are read anew each second of the clock,
 * and a gateway stays the same while its credentials do. Opened credentials live in memory only.
 */
export function createPspGateways<Gateway extends PspGateway>(deps: {
  readonly clock: Clock;
  readonly reads: Pick<MerchantReads, 'readPspConnections'>;
  /** Undefined for a PSP that this process cannot charge through. */
  readonly connect: (connection: PspConnection) => Gateway | undefined;
}): PspGateways<Gateway> {
  const before = new Map<string, Kept<Gateway>>();

  async function load(merchantId: string): Promise<Kept<Gateway> | undefined> {
    const connections = await deps.reads.readPspConnections(merchantId);
    const known = before.get(merchantId) ?? {};
    const kept = Object.fromEntries(
      connections.flatMap((connection) => {
        const earlier = known[connection.psp];
        if (earlier !== undefined && isSame(earlier, connection))
          return [[connection.psp, earlier]];
        const gateway = deps.connect(connection);
        return gateway === undefined ? [] : [[connection.psp, { ...connection, gateway }]];
      }),
    );
    if (before.size >= most) before.clear();
    before.set(merchantId, kept);
    return kept;
  }

  const cache = new TtlCache<Kept<Gateway>>({ clock: deps.clock, load }, { ttlMs, most });
  return {
    find: async ({ merchantId, psp }) => (await cache.get(merchantId))?.[psp]?.gateway,
    forget: (merchantId) => cache.forget((key) => key === merchantId),
  };
}

function isSame(kept: PspConnection, read: PspConnection): boolean {
  return isDeepStrictEqual(kept.credentials, read.credentials);
}
