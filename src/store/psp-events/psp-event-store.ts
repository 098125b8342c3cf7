import type { PspEventStore } from '../../recovery/psp-event-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { findCharge } from './find-charge.ts';
import { noteEvent } from './note-event.ts';

const findNoted: Statement = {
  name: 'find_noted_psp_events',
  text: `
    select event_id from psp_events
    where merchant_id = $1 and psp = $2 and event_id = any ($3::text[])`,
};

/** The first reason stays: a repetition, or another word for the same end, changes nothing. */
const closeInvoice: Statement = {
  name: 'close_invoice',
  text: `
    insert into closed_invoices (merchant_id, invoice_id, reason, closed_at)
    values ($1, $2, $3, $4)
    on conflict (merchant_id, invoice_id) do nothing`,
};

const adoptPspInvoice: Statement = {
  name: 'adopt_psp_invoice',
  text: `
    update payments set psp_invoice_id = $4
    where merchant_id = $1 and invoice_id = $2 and psp = $3
      and psp_invoice_id is null and state = 'scheduled'`,
};

export function createPspEventStore(deps: {
  readonly db: Queryable;
  readonly sealer: Sealer;
}): PspEventStore {
  const { db } = deps;
  return {
    async findNoted({ merchantId, psp, eventIds }) {
      if (eventIds.length === 0) return new Set();
      const rows = await db.query<{ event_id: string }>(findNoted, [merchantId, psp, eventIds]);
      return new Set(rows.map((row) => row.event_id));
    },
    note: (event) => noteEvent(deps, event),
    findCharge: (input) => findCharge(db, input),
    async closeInvoice({ merchantId, invoiceId, reason, at }) {
      await db.query(closeInvoice, [merchantId, invoiceId, reason, at]);
    },
    async adoptPspInvoice({ merchantId, invoiceId, psp, pspInvoiceId }) {
      await db.query(adoptPspInvoice, [merchantId, invoiceId, psp, pspInvoiceId]);
    },
  };
}
