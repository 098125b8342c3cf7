/**
 * That a merchant is not in this cell, or not for now. `closed`: it is on its way, and in seconds or
 * minutes it is known where; `moved`: its calls are another cell's, whose APIs are at these addresses.
 */
export type Away =
  | { readonly kind: 'closed' }
  | { readonly kind: 'moved'; readonly recoveryUrl: string; readonly disputesUrl: string };

/** Undefined for merchants that are here, and for unknown ones. */
export type FindAway = (merchantId: string) => Promise<Away | undefined>;
