import pg from 'pg';
import type { KnownName } from '../../domain/debts/debt-names.ts';

/** Raised by `debt_claims_hold`: another report claimed a name meanwhile, and nothing was written. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'RC001';
}

export function nameRow(name: KnownName): Readonly<Record<string, unknown>> {
  return {
    merchant_id: name.merchantId,
    kind: name.kind,
    value: name.value,
    invoice_id: name.invoiceId,
    channel: name.channel,
    mark: name.mark,
    spent: name.isSpent,
  };
}
