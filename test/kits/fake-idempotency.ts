import type { IdempotencyStore } from '../../src/recovery/idempotency.ts';

interface Kept {
  readonly fingerprint: string;
  answer?: { readonly status: number; readonly body: string };
}

/** Idempotency keys in memory, without leases or expiry. */
export class FakeIdempotency implements IdempotencyStore {
  readonly keys = new Map<string, Kept>();
  /** Thrown by `complete` and `abandon` while it is set. */
  failure: Error | undefined;

  async begin(input: Parameters<IdempotencyStore['begin']>[0]) {
    const id = idOf(input);
    const fingerprint = Buffer.from(input.fingerprint).toString('hex');
    const kept = this.keys.get(id);
    if (kept === undefined) {
      this.keys.set(id, { fingerprint });
      return { kind: 'new' } as const;
    }
    if (kept.fingerprint !== fingerprint) return { kind: 'mismatch' } as const;
    return kept.answer === undefined
      ? ({ kind: 'in_flight' } as const)
      : ({ kind: 'replay', ...kept.answer } as const);
  }

  async complete(input: Parameters<IdempotencyStore['complete']>[0]) {
    if (this.failure !== undefined) throw this.failure;
    const kept = this.keys.get(idOf(input));
    if (kept !== undefined) kept.answer = { status: input.status, body: input.body };
  }

  async abandon(input: Parameters<IdempotencyStore['abandon']>[0]) {
    if (this.failure !== undefined) throw this.failure;
    this.keys.delete(idOf(input));
  }
}

function idOf(input: { merchantId: string; route: string; key: string }): string {
  return JSON.stringify([input.merchantId, input.route, input.key]);
}
