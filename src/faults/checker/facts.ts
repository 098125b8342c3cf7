import type { DebtRecord, InboxItem, LedgerCharge, WorldRecord } from '../record.ts';
import type { Dump, PaymentRow } from './dump.ts';

/** What the rules judge by: the world's record and the service's tables, put together. */
export interface Facts {
  readonly record: WorldRecord;
  readonly dump: Dump;
  readonly debts: readonly DebtFacts[];
  /** Each event once, whatever it was sent; by its deduplication id. */
  readonly events: readonly ReceivedEvent[];
}

export interface DebtFacts {
  readonly debt: DebtRecord;
  /** In the order in which they were made. */
  readonly charges: readonly LedgerCharge[];
  readonly payments: readonly PaymentRow[];
  readonly events: readonly ReceivedEvent[];
  /** A person sees it: an incident names one of its invoices, or one of our charges of it. */
  readonly hasIncident: boolean;
}

/** A retry_result as its merchant read it. */
export interface ReceivedEvent {
  readonly item: InboxItem;
  readonly invoiceId: string;
  readonly isSuccess: boolean;
  readonly transactions: readonly { readonly id: string; readonly isSuccess: boolean }[];
}

export function gatherFacts(record: WorldRecord, dump: Dump): Facts {
  const events = receivedEvents(record);
  const debts = record.debts.map((debt): DebtFacts => {
    const isOf = (merchantId: string, invoiceId: string | null) =>
      merchantId === debt.merchantId && debt.invoiceIds.includes(invoiceId ?? '');
    const charges = record.charges.filter((charge) => charge.debtId === debt.debtId);
    const keys = new Set(charges.filter(isOurs).map(({ key }) => key));
    return {
      debt,
      charges,
      payments: dump.payments.filter((row) => isOf(row.merchant_id, row.invoice_id)),
      events: events.filter(({ item, invoiceId }) => isOf(item.merchantId, invoiceId)),
      hasIncident: dump.incidents.some(
        (row) => isOf(row.merchant_id, row.invoice_id) || keys.has(row.charge ?? ''),
      ),
    };
  });
  return { record, dump, debts, events };
}

/** What the service knew then was lost with it: its database went back to a copy of before. */
export function isForgotten({ restores }: WorldRecord, atMs: number): boolean {
  return restores.some((restore) => atMs > restore.backupMs && atMs <= restore.atMs);
}

/** Those that a restored backup does not know are told again by others. */
function receivedEvents(record: WorldRecord): readonly ReceivedEvent[] {
  const first = new Map<string, InboxItem>();
  for (const item of record.inbox.filter(({ atMs }) => !isForgotten(record, atMs))) {
    const name = `${item.merchantId} ${item.dedupId}`;
    if (item.type === 'retry_result' && !first.has(name)) first.set(name, item);
  }
  return [...first.values()].map(readEvent);
}

function readEvent(item: InboxItem): ReceivedEvent {
  const body = JSON.parse(item.body) as {
    readonly invoice_id?: string;
    readonly success?: boolean;
    readonly psp_transactions?: readonly { psp_transaction_id?: string; success?: boolean }[];
  };
  return {
    item,
    invoiceId: body.invoice_id ?? '',
    isSuccess: body.success === true,
    transactions: (body.psp_transactions ?? []).map((transaction) => ({
      id: transaction.psp_transaction_id ?? '',
      isSuccess: transaction.success === true,
    })),
  };
}

/** A charge as events name it: by the PSP's id, or by the reference that it was sent with. */
export function isNamedBy(charge: LedgerCharge, id: string): boolean {
  return id === charge.chargeId || (charge.key !== '' && id === charge.key);
}

export function isOurs(charge: LedgerCharge): boolean {
  return charge.origin === 'ours';
}

export function isSuccess(charge: LedgerCharge): boolean {
  return charge.state === 'succeeded';
}

/** A charge in words. */
export function told(charge: LedgerCharge): string {
  return `${charge.chargeId} (${charge.key || charge.origin}) of ${charge.debtId}`;
}
