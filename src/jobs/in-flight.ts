/** What is under way in this process, in all and of each merchant. */
export interface InFlight {
  /** Items that hold a place. */
  readonly total: number;
  /** These, and those that wait without one. */
  readonly all: number;
  park(): void;
  unpark(): void;
  add(merchantIds: readonly string[]): void;
  remove(merchantIds: readonly string[]): void;
  /** How many of this merchant are. */
  of(merchantId: string): number;
  /** Merchants of whom at least `most` are under way. */
  merchantsWith(max: number): readonly string[];
}

export function createInFlight(): InFlight {
  const ofMerchant = new Map<string, number>();
  let all = 0;
  let parked = 0;

  function count(merchantIds: readonly string[], step: 1 | -1): void {
    all += step * merchantIds.length;
    for (const merchantId of merchantIds) {
      const now = (ofMerchant.get(merchantId) ?? 0) + step;
      if (now === 0) ofMerchant.delete(merchantId);
      else ofMerchant.set(merchantId, now);
    }
  }

  return {
    get total() {
      return all - parked;
    },
    get all() {
      return all;
    },
    park() {
      parked += 1;
    },
    unpark() {
      parked -= 1;
    },
    add: (merchantIds) => count(merchantIds, 1),
    remove: (merchantIds) => count(merchantIds, -1),
    of: (merchantId) => ofMerchant.get(merchantId) ?? 0,
    merchantsWith: (max) => [...ofMerchant].flatMap(([id, n]) => (n >= max ? [id] : [])),
  };
}
