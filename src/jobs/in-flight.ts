/** What is under way in this process, in all and of each merchant. */
export interface InFlight {
  readonly total: number;
  add(merchantIds: readonly string[]): void;
  remove(merchantIds: readonly string[]): void;
  /** How many of this merchant are. */
  of(merchantId: string): number;
  /** Merchants of whom at least `most` are under way. */
  merchantsWith(max: number): readonly string[];
}

export function createInFlight(): InFlight {
  const ofMerchant = new Map<string, number>();
  let total = 0;

  function count(merchantIds: readonly string[], step: 1 | -1): void {
    total += step * merchantIds.length;
    for (const merchantId of merchantIds) {
      const now = (ofMerchant.get(merchantId) ?? 0) + step;
      if (now === 0) ofMerchant.delete(merchantId);
      else ofMerchant.set(merchantId, now);
    }
  }

  return {
    get total() {
      return total;
    },
    add: (merchantIds) => count(merchantIds, 1),
    remove: (merchantIds) => count(merchantIds, -1),
    of: (merchantId) => ofMerchant.get(merchantId) ?? 0,
    merchantsWith: (max) => [...ofMerchant].flatMap(([id, n]) => (n >= max ? [id] : [])),
  };
}
