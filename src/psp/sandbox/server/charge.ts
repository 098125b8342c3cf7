import type { CardNetwork } from '../../../domain/declines/decline-codes.ts';
import type { JsonObject } from '../../../domain/payment.ts';

/**
 * One charge as the ledger keeps it and the API shows it, names as on the wire. A token's card
 * verification number is never part of it, and of a billing address only the names of the fields
 * are kept: they show that it arrived, without anybody's data.
 */
export interface SandboxCharge {
  readonly id: string;
  readonly status: 'succeeded' | 'declined';
  /** ISO 8601, UTC, by the sandbox's clock. */
  readonly created_at: string;
  readonly idempotency_key: string;
  readonly merchant: string;
  readonly invoice: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly payment_method: string;
  readonly customer: string | undefined;
  readonly network: CardNetwork;
  readonly network_transaction_id: string;
  /** The network transaction id that came with the request. */
  readonly previous_network_transaction_id: string | undefined;
  readonly metadata: JsonObject | undefined;
  readonly token: SandboxToken | undefined;
  readonly billing_address_fields: readonly string[] | undefined;
  /** Why it was declined. */
  readonly error: SandboxCardError | undefined;
}

export interface SandboxToken {
  readonly id: string | undefined;
  readonly expiration_month: string | undefined;
  readonly expiration_year: string | undefined;
  /** Whether a card verification number came along. */
  readonly card_code_given: boolean;
}

export interface SandboxCardError {
  readonly type: 'card_error';
  /** The reason in a word, such as `insufficient_funds`. */
  readonly code: string;
  /** ISO 8583 DE 39. */
  readonly network_code: string;
  readonly advice_code: string | undefined;
  readonly message: string;
}
