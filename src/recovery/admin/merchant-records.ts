import { type Clock, secondMs } from '../../domain/clock.ts';
import type { MerchantReads, MerchantRecord } from './ports.ts';
import { TtlCache } from './ttl-cache.ts';

/** How long another process may go on with what it has read of a merchant. */
const ttlMs = secondMs;
/** Merchants that are remembered at once; a thousand calls a second stay far below. */
const max = 10_000;

/**
 * Merchants with their secrets and accounts, as every call and every attempt needs them: read together,
 * and used for one second of the service's clock. Opened secrets live in memory only.
 */
export interface MerchantRecords {
  find(merchantId: string): Promise<MerchantRecord | undefined>;
  /** To be called after each committed change of a merchant, its secrets or its connections. */
  forget(merchantId: string): void;
}

export function createMerchantRecords(deps: {
  readonly clock: Clock;
  readonly reads: Pick<MerchantReads, 'readMerchant'>;
}): MerchantRecords {
  const { clock, reads } = deps;
  async function load(merchantId: string): Promise<MerchantRecord | undefined> {
    const record = await reads.readMerchant(merchantId, clock.now());
    return record && openedOnce(record);
  }
  const cache = new TtlCache<MerchantRecord>({ clock, load }, { ttlMs, max });
  return {
    find: (merchantId) => cache.get(merchantId),
    forget: (merchantId) => cache.forget((key) => key === merchantId),
  };
}

function openedOnce(record: MerchantRecord): MerchantRecord {
  return {
    merchant: record.merchant,
    openSecrets: once(() => record.openSecrets()),
    openConnections: once(() => record.openConnections()),
  };
}

/** What fails is asked for again the next time. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
