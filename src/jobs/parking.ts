import type { InFlight } from './in-flight.ts';

/** Work that waits for others: it has nothing to do but to wait, and so needs no place. */
export interface Parking {
  /** Called when an item of a merchant begins; what it gives, when it ended. */
  begin(merchantId: string): () => void;
  /** Merchants of whom nothing more is to begin now. */
  leftOut(): readonly string[];
}

export interface ParkingSettings {
  /** An item that has taken so long waits for somebody. */
  readonly afterMs: number;
  /** After so long its merchant's server is to blame: further ones of it begin without a place. */
  readonly slowAfterMs: number;
  /** Items that may wait without a place. */
  readonly max: number;
}

/**
 * Gives the places of items that wait back to the loop, so that a server which hangs holds none of others'. They
 * count for their merchant's share in any case.
 */
export function createParking(
  inFlight: Pick<InFlight, 'park' | 'unpark'>,
  settings: ParkingSettings,
  onParked: () => void,
): Parking {
  const slow = new Set<string>();
  let parked = 0;

  return {
    begin(merchantId) {
      let isParked = false;
      let isSlow = false;
      const park = (): void => {
        if (isParked || parked >= settings.max) return;
        isParked = true;
        parked += 1;
        inFlight.park();
        onParked();
      };
      if (slow.has(merchantId)) park();
      const timer = setTimeout(park, settings.afterMs);
      const slowTimer = setTimeout(() => {
        isSlow = true;
        slow.add(merchantId);
      }, settings.slowAfterMs);
      return () => {
        clearTimeout(timer);
        clearTimeout(slowTimer);
        if (!isSlow) slow.delete(merchantId);
        if (!isParked) return;
        parked -= 1;
        inFlight.unpark();
      };
    },
    leftOut: () => (parked >= settings.max ? [...slow] : []),
  };
}
