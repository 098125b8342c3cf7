import { isDeepStrictEqual } from 'node:util';
import type { PspConnectionKey } from '../engine/deps.ts';
import type { PspConnection } from '../operator-api.ts';
import type { GatewayConnection, PspGateway } from '../psp-ports.ts';
import type { MerchantRecords } from './merchant-records.ts';
import type { MerchantRecord } from './ports.ts';
import type { KeptPspConnection } from './psp-account-ports.ts';

/** Merchants whose gateways are kept at once. */
const max = 10_000;

/** A gateway with the connection that it was found by. */
export type Connected<Gateway extends PspGateway> = Gateway & {
  readonly connection: GatewayConnection;
};

export interface PspGateways<Gateway extends PspGateway = PspGateway> {
  /**
   * The merchant's account at the PSP: the active one, or the one of that version while its credentials
   * are there. Undefined where there is none.
   */
  find(key: PspConnectionKey): Promise<Connected<Gateway> | undefined>;
  /** Every account of the merchant there, the active one first, then retired ones, newest first. */
  list(key: PspConnectionKey): Promise<readonly Connected<Gateway>[]>;
  /** To be called after each committed change of a merchant's connections. */
  forget(merchantId: string): void;
}

interface Kept<Gateway extends PspGateway> {
  readonly connection: KeptPspConnection;
  /** Made when its PSP is asked for first: what one needs is no other's to wait for, or to fail by. */
  readonly gateway: () => Connected<Gateway> | undefined;
}

/**
 * Gateways by merchant, made of its sealed credentials. They are as new as the merchant's record, and a
 * gateway stays the same while its credentials do. Opened credentials live in memory only.
 */
export function createPspGateways<Gateway extends PspGateway>(deps: {
  readonly records: MerchantRecords;
  /** Undefined for a PSP that this process cannot charge through. */
  readonly connect: (connection: PspConnection) => Gateway | undefined;
}): PspGateways<Gateway> {
  const before = new Map<string, readonly Kept<Gateway>[]>();
  const made = new WeakMap<MerchantRecord, readonly Kept<Gateway>[]>();

  async function gatewaysOf(merchantId: string): Promise<readonly Kept<Gateway>[]> {
    const record = await deps.records.find(merchantId);
    if (record === undefined) return [];
    const connections = await record.openConnections();
    const present = made.get(record);
    if (present !== undefined) return present;
    const known = before.get(merchantId) ?? [];
    const kept = connections.map(
      (connection): Kept<Gateway> =>
        known.find((other) => isDeepStrictEqual(other.connection, connection)) ?? {
          connection,
          gateway: once(() => {
            const gateway = deps.connect(connection);
            return gateway && connected(gateway, connection);
          }),
        },
    );
    if (before.size >= max) before.clear();
    before.set(merchantId, kept);
    made.set(record, kept);
    return kept;
  }

  async function list({
    merchantId,
    psp,
  }: PspConnectionKey): Promise<readonly Connected<Gateway>[]> {
    const kept = await gatewaysOf(merchantId);
    return kept
      .filter(({ connection }) => connection.psp === psp)
      .map(({ gateway }) => gateway())
      .filter((gateway) => gateway !== undefined)
      .toSorted(activeFirst);
  }

  return {
    list,
    async find(key) {
      const accounts = await list(key);
      return accounts.find(({ connection }) =>
        key.version === undefined ? connection.isActive : connection.version === key.version,
      );
    },
    forget: (merchantId) => deps.records.forget(merchantId),
  };
}

/** What failed is made anew the next time. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function connected<Gateway extends PspGateway>(
  gateway: Gateway,
  { version, mode, isActive }: KeptPspConnection,
): Connected<Gateway> {
  // Connections from before modes were kept have none until they are tested again.
  const known = mode === 'unknown' ? (gateway.identity?.mode ?? mode) : mode;
  return { ...gateway, connection: { version, mode: known, isActive } };
}

function activeFirst(
  { connection: a }: { readonly connection: GatewayConnection },
  { connection: b }: { readonly connection: GatewayConnection },
): number {
  return Number(b.isActive) - Number(a.isActive) || b.version - a.version;
}
