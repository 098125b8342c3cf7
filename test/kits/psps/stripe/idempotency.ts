import { dayMs } from '../../../../src/domain/clock.ts';

/** An answer as it goes over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Stripe's memory of idempotency keys (docs.stripe.com/api/idempotent_requests): the first
 * answer of a request that began is given again, a stored 500 too; other parameters are an error; a key in
 * flight is a conflict; a key of 24 hours is forgotten.
 */
export class IdempotencyMemory {
  readonly #kept = new Map<
    string,
    { readonly request: string; readonly at: number; answer?: WireAnswer }
  >();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** The answer to give in place of a new one; undefined where the request is to be carried out. */
  begin(key: string, request: string): WireAnswer | undefined {
    const at = this.#now().getTime();
    const kept = this.#kept.get(key);
    if (kept === undefined || at - kept.at >= dayMs) {
      this.#kept.set(key, { request, at });
      return undefined;
    }
    if (kept.request !== request) {
      return fault(400, {
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      });
    }
    if (kept.answer === undefined) {
      return fault(409, {
        code: 'idempotency_key_in_use',
        message: 'There is currently another in-progress request using this Idempotent Key.',
      });
    }
    const headers = { ...kept.answer.headers, 'idempotent-replayed': 'true' };
    return { ...kept.answer, headers };
  }

  /** The request never arrived. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** Keeps an answer, or forgets the key of a request that did not begin. */
  end(key: string, answer: WireAnswer): void {
    const kept = this.#kept.get(key);
    const isKept = answer.status < 400 || answer.status === 402 || answer.status >= 500;
    if (kept === undefined) return;
    if (isKept) kept.answer = answer;
    else this.#kept.delete(key);
  }
}

function fault(status: number, error: Readonly<Record<string, string>>): WireAnswer {
  return { status, body: { error: { type: 'idempotency_error', ...error } } };
}
