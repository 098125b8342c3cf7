import type { PspEventStore } from '../../recovery/psp-event-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { findDebt } from '../debts/find-debt.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { findCharge } from './find-charge.ts';
import { noteEvent } from './note-event.ts';

/** Of the tables of months only those of these events' own, so that a note costs the same however many there are. */
const findNoted: Statement = {
  name: 'find_noted_psp_events',
  text: `
    select event_id from psp_events
    where merchant_id = $1 and psp = $2 and event_id = any ($3::text[])
    union all
    select event_id from psp_event_notes
    where merchant_id = $1 and psp = $2 and event_id = any ($3::text[]) and month = any ($4::date[])`,
};

/** The first reason stays: a repetition, or another word for the same end, changes nothing. */
const closeInvoice: Statement = {
  name: 'close_invoice',
  text: `
    insert into closed_invoices (merchant_id, invoice_id, reason, closed_at)
    values ($1, $2, $3, $4)
    on conflict (merchant_id, invoice_id) do nothing`,
};

export function createPspEventStore(deps: {
  readonly db: Queryable;
  readonly sealer: Sealer;
}): PspEventStore {
  const { db } = deps;
  return {
    async findNoted({ merchantId, psp, events }) {
      if (events.length === 0) return new Set();
      const eventIds = events.map(({ eventId }) => eventId);
      const months = new Set(events.map(({ occurredAt }) => monthOf(occurredAt)));
      const values = [merchantId, psp, eventIds, [...months.add(noMonth)]];
      const rows = await db.query<{ event_id: string }>(findNoted, values);
      return new Set(rows.map((row) => row.event_id));
    },
    note: (event) => noteEvent(deps, event),
    findCharge: (input) => findCharge(db, input),
    async closeInvoice({ merchantId, invoiceId, reason, at }) {
      // Whose invoice it is, is asked once it is known to be closed: what joins it to a debt later takes that with it.
      for (let closedId = invoiceId; ; ) {
        await db.query(closeInvoice, [merchantId, closedId, reason, at]);
        const debtId = await findDebt(db, { merchantId, invoiceId });
        if (debtId === closedId) return debtId;
        closedId = debtId;
      }
    },
  };
}

const noMonth = '-infinity';

/** Its first day, UTC; none of a time that no date says in four digits of a year: such an event is in no month's table. */
function monthOf(at: Date): string {
  return /^\d{4}-\d\d/.test(at.toISOString()) ? `${at.toISOString().slice(0, 7)}-01` : noMonth;
}
