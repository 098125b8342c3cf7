import type { Psp } from '../../domain/psps.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { ScopedCaller } from '../endpoint/require-scope.ts';

/** The merchant whose API key a request carries. */
export interface Caller extends ScopedCaller {
  readonly merchantId: string;
  /** The id of the key. */
  readonly credentialId: string;
  /** The PSPs that the merchant has a connection to. */
  readonly psps: readonly Psp[];
}

/** Whose report it is, whoever brought it. */
export type Reporter = Pick<Caller, 'merchantId' | 'psps'>;

/** What the endpoints of the recovery API are given beside the request. */
export interface RecoveryContext {
  readonly api: RecoveryApi;
  readonly caller: Caller;
  /** The UUID of this request's receipt: the same for a repetition under the same key. */
  readonly receiptUuid: string;
  /** How the dashboard is reached, where portals are. */
  operatorUrl(): string;
}
