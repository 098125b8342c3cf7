import type { LedgerSink } from './ledger-file.ts';

/** One refund as it is kept and shown, names as on the wire. */
export interface SandboxRefund {
  readonly id: string;
  readonly status: 'succeeded';
  readonly charge: string;
  /** Minor units, in the charge's currency. */
  readonly amount: number;
  readonly currency: string;
  readonly idempotency_key: string;
  /** ISO 8601, UTC, by the sandbox's clock. */
  readonly created_at: string;
}

/** Every refund that the sandbox ever made. One counts from `add` on; answers wait until it is kept. */
export class SandboxRefunds {
  readonly #sink: LedgerSink;
  readonly #ofCharge = new Map<string, SandboxRefund[]>();

  constructor(sink: LedgerSink, refunds: readonly SandboxRefund[] = []) {
    this.#sink = sink;
    for (const refund of refunds) this.#remember(refund);
  }

  async add(refund: SandboxRefund): Promise<void> {
    this.#remember(refund);
    await this.#sink.append(`${JSON.stringify(refund)}\n`);
  }

  settled(): Promise<void> {
    return this.#sink.settled();
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  /** Keys belong to a charge. */
  byKey(charge: string, key: string): SandboxRefund | undefined {
    return this.#ofCharge.get(charge)?.find(({ idempotency_key: own }) => own === key);
  }

  /** What was given back of a charge so far, in minor units. */
  refundedOf(charge: string): number {
    return (this.#ofCharge.get(charge) ?? []).reduce((sum, { amount }) => sum + amount, 0);
  }

  #remember(refund: SandboxRefund): void {
    const known = this.#ofCharge.get(refund.charge);
    if (known === undefined) this.#ofCharge.set(refund.charge, [refund]);
    else known.push(refund);
  }
}
