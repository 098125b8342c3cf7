import type { ErrorCode } from './errors.ts';

/** Error codes of a process whose time cannot be trusted, or that waits for a restored record. */
export const heldBackCodes = [
  'clock_differs',
  'clock_unmeasured',
  'clock_jumped',
  'restore_check',
] as const satisfies readonly ErrorCode[];

/** Why the database takes no writes. */
export const refusedWriteCodes = [
  'database_read_only',
  'database_disk_full',
] as const satisfies readonly ErrorCode[];

/** Why the database answers nothing at all. */
export const databaseAwayCodes = [
  'database_unreachable',
  'database_login_refused',
  'database_unknown',
  'database_connections_exhausted',
  'database_out_of_resources',
] as const satisfies readonly ErrorCode[];

/** A database that is away, or refuses whatever it is asked for reasons of its own. */
const databaseOutages: ReadonlySet<ErrorCode> = new Set([
  ...databaseAwayCodes,
  ...refusedWriteCodes,
]);

/** Whether what was asked may be asked again as it is, and nobody who asked is to blame. */
export function isDatabaseOutage(code: ErrorCode): boolean {
  return databaseOutages.has(code);
}

/** A process that serves nobody yet, or soon nobody any more. */
export const notServingCodes = [
  'service_starting',
  'service_ending',
] as const satisfies readonly ErrorCode[];

export interface NotServing {
  readonly code: (typeof notServingCodes)[number];
  /** In a sentence. */
  readonly message: string;
}

/** A database that answers nothing, or not as ours does; the reason, where it is known. */
export interface DatabaseAway {
  readonly code?: (typeof databaseAwayCodes)[number];
  /** In a sentence. */
  readonly message?: string;
}

export interface RefusedWrites {
  readonly code: (typeof refusedWriteCodes)[number];
  /** In a sentence. */
  readonly message: string;
}

/** Why a process takes no work that charges. It takes work again by itself. */
export interface HeldBack {
  readonly code: (typeof heldBackCodes)[number];
  /** In a sentence, with figures. */
  readonly message: string;
}

/**
 * How long a holder of due work may act on it, and in which epoch of its process's time it was taken:
 * after a jump of that time nothing that was taken before it may be charged or planned any more.
 */
export interface Hold {
  readonly epoch: number;
  readonly leaseUntil: Date;
}

/** What a claim took of the rows that were due. */
export interface DueItems<Item> {
  readonly items: readonly Item[];
  /** Nothing else was due: neither the limit nor a merchant's share cut it off. */
  readonly isAll: boolean;
  /** Where only shares cut it off: the merchants of whom more may be due. */
  readonly cutAtShare?: readonly string[];
}
