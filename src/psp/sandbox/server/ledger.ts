import type { SandboxCharge } from './charge.ts';
import type { LedgerSink } from './ledger-file.ts';

/** What a list of charges is asked for. */
export interface ChargeFilter {
  readonly merchant?: string;
  readonly invoice?: string;
  readonly idempotency_key?: string;
}

/** The charges after `after` (an id of the ledger) that fit, oldest first, at most `limit`. */
export interface ChargePage {
  readonly charges: readonly SandboxCharge[];
  readonly hasMore: boolean;
}

/**
 * Every charge the sandbox ever made or refused, in order. A charge counts from `add` on: look-ups
 * and tries see it at once, and an answer about it waits for `settled`.
 */
export class SandboxLedger {
  readonly #sink: LedgerSink;
  readonly #charges: SandboxCharge[] = [];
  readonly #indexById = new Map<string, number>();
  readonly #byKey = new Map<string, SandboxCharge>();
  readonly #byInvoice = new Map<string, SandboxCharge[]>();
  readonly #byMerchant = new Map<string, SandboxCharge[]>();
  readonly #inFlight = new Set<string>();

  constructor(sink: LedgerSink, charges: readonly SandboxCharge[] = []) {
    this.#sink = sink;
    for (const charge of charges) this.#remember(charge);
  }

  /** Records a charge; resolves to its JSON when it is kept, rejects when it cannot be. */
  async add(charge: SandboxCharge): Promise<string> {
    const json = JSON.stringify(charge);
    this.#remember(charge);
    this.#inFlight.add(charge.id);
    await this.#sink.append(`${json}\n`);
    this.#inFlight.delete(charge.id);
    return json;
  }

  /** Resolves when every charge ingested so far is kept. */
  settled(): Promise<void> {
    return this.#sink.settled();
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  /** Whether the charge is still on its way to being kept. */
  isInFlight(charge: SandboxCharge): boolean {
    return this.#inFlight.has(charge.id);
  }

  byId(id: string): SandboxCharge | undefined {
    const index = this.#indexById.get(id);
    return index === undefined ? undefined : this.#charges[index];
  }

  byKey(merchant: string, idempotencyKey: string): SandboxCharge | undefined {
    return this.#byKey.get(joined(merchant, idempotencyKey));
  }

  /** How often the invoice was charged, successes and declines alike. */
  triesOf(merchant: string, invoice: string): number {
    return this.#byInvoice.get(joined(merchant, invoice))?.length ?? 0;
  }

  /** When the invoice was charged, the first time first. */
  triedAt(merchant: string, invoice: string): readonly Date[] {
    const charges = this.#byInvoice.get(joined(merchant, invoice)) ?? [];
    return charges.map((charge) => new Date(charge.created_at));
  }

  list(filter: ChargeFilter, limit: number, after?: string): ChargePage {
    const from = after === undefined ? 0 : (this.#indexById.get(after) ?? -1) + 1;
    const found: SandboxCharge[] = [];
    for (const charge of this.#candidates(filter, from)) {
      const index = this.#indexById.get(charge.id) ?? 0;
      if (index < from || !fits(charge, filter)) continue;
      if (found.length === limit) return { charges: found, hasMore: true };
      found.push(charge);
    }
    return { charges: found, hasMore: false };
  }

  /** The narrowest index that the filter allows. */
  #candidates(filter: ChargeFilter, from: number): Iterable<SandboxCharge> {
    const { merchant, invoice, idempotency_key } = filter;
    if (merchant !== undefined && idempotency_key !== undefined) {
      const charge = this.byKey(merchant, idempotency_key);
      return charge === undefined ? [] : [charge];
    }
    if (merchant !== undefined && invoice !== undefined) {
      return this.#byInvoice.get(joined(merchant, invoice)) ?? [];
    }
    if (merchant !== undefined) return this.#byMerchant.get(merchant) ?? [];
    return this.#chargesFrom(from);
  }

  *#chargesFrom(index: number): Iterable<SandboxCharge> {
    for (let at = index; at < this.#charges.length; at += 1) {
      const charge = this.#charges[at];
      if (charge !== undefined) yield charge;
    }
  }

  #remember(charge: SandboxCharge): void {
    this.#indexById.set(charge.id, this.#charges.length);
    this.#charges.push(charge);
    this.#byKey.set(joined(charge.merchant, charge.idempotency_key), charge);
    addTo(this.#byInvoice, joined(charge.merchant, charge.invoice), charge);
    addTo(this.#byMerchant, charge.merchant, charge);
  }
}

function addTo(index: Map<string, SandboxCharge[]>, key: string, charge: SandboxCharge): void {
  const charges = index.get(key);
  if (charges === undefined) index.set(key, [charge]);
  else charges.push(charge);
}

function fits(charge: SandboxCharge, filter: ChargeFilter): boolean {
  return (
    (filter.merchant === undefined || charge.merchant === filter.merchant) &&
    (filter.invoice === undefined || charge.invoice === filter.invoice) &&
    (filter.idempotency_key === undefined || charge.idempotency_key === filter.idempotency_key)
  );
}

/** A length before the first part, so that no two pairs give the same text. */
function joined(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}
