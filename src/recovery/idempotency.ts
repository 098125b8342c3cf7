/**
 * What an API needs to make a repeated POST harmless: the first request under an Idempotency-Key
 * runs, and every later one with the same body is answered as the first was
 * (draft-ietf-httpapi-idempotency-key-header-07). A key belongs to one merchant and one route.
 */
export interface IdempotencyStore {
  /** Takes the key for a request that starts now, or tells what became of the earlier one. */
  begin(input: IdempotencyKeyOf & { fingerprint: Uint8Array; at: Date }): Promise<IdempotencyBegin>;
  /** Keeps the answer (status 200 to 499) until the key expires; later requests replay it. */
  complete(input: IdempotencyKeyOf & { status: number; body: string; at: Date }): Promise<void>;
  /** Frees a key whose request came to nothing, such as a 500, so that it may run again. */
  abandon(input: IdempotencyKeyOf): Promise<void>;
}

export interface IdempotencyKeyOf {
  readonly merchantId: string;
  /** Method and path template, such as `POST /recover/payments`. At most 200 characters. */
  readonly route: string;
  /** The header's text, 1 to 255 characters. */
  readonly key: string;
  /** Whether what is answered holds a secret, and is kept sealed. */
  readonly isSecret?: boolean;
}

/**
 * `new`: run it, then complete or abandon. `replay`: answer exactly this. `mismatch`: the key was
 * used with another body (422). `in_flight`: the first request is still running (409).
 */
export type IdempotencyBegin =
  | { readonly kind: 'new' }
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'in_flight' };
