// Generated from openapi/disputes.json by npm run generate; do not edit.

export type EraseCustomerAnswer = {
  readonly customer_id: string;
  /** When the key was destroyed. */
  readonly erased_at: string;
  /** Analytics records that can be read no more. */
  readonly records: number;
  /** SHA-256 in hexadecimal of what was destroyed; the audit log holds what it is of. */
  readonly proof: string;
};
