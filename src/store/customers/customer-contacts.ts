import type { CustomerContact } from '../../domain/customers/customer-contact.ts';
import { present } from '../../domain/present.ts';
import type { InvoiceOf } from '../../recovery/api.ts';
import type { CustomerLinkStore, LinkedPayment } from '../../recovery/customers/customer-links.ts';
import type { Queryable, Statement } from '../database.ts';
import { ofDebt } from '../debts/find-debt.ts';

/** Lines that are kept of one payment: a page that is opened again and again fills no table. */
const maxLines = 200;

const add: Statement = {
  name: 'add_customer_contact',
  text: `
    with room as materialized (
      select 1 as one
      where (select count(*) from (
               select from customer_contacts
               where merchant_id = $1 and invoice_id = $3 limit ${maxLines}) c) < ${maxLines}
    ),
    added as (
      insert into customer_contacts (merchant_id, contact_id, invoice_id, kind, outcome, message_id, at)
      select $1, $2, $3, $4, $5, $6, $7 from room
      on conflict (merchant_id, contact_id) do nothing
    )
    select 1`,
};

const list: Statement = {
  name: 'list_customer_contacts',
  text: `
    select kind, outcome, message_id, at from customer_contacts
    where merchant_id = $1 and invoice_id = $2 order by at, contact_id limit ${maxLines}`,
};

/** The method of the last charge; of a payment without one, that of the first failure. */
const findPayment: Statement = {
  name: 'find_linked_payment',
  text: `
    select p.merchant_id, p.invoice_id, p.customer_id, p.subscription_id, p.amount_minor, p.currency,
           p.state, p.window_ends_at,
           coalesce((
             select t.payment_method_id
             from all_attempts a join psp_transactions t using (merchant_id, attempt_id)
             where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
             order by t.sent_at desc, t.ordinal desc limit 1
           ), p.payment_method_ids[1]) as payment_method_id
    from payments p where p.merchant_id = $1 and p.invoice_id = $2`,
};

/** That a link was signed for it is enough: what it was told is not looked at. */
const findCard: Statement = {
  name: 'find_linked_card',
  text: `
    select c.customer_id, c.subscription_id, n.resolved_at is not null as is_ended
    from card_messages c
    join card_notices n using (merchant_id, payment_method_id, card_ends_at)
    where c.merchant_id = $1 and c.payment_method_id = $2 and c.card_ends_at = $3`,
};

const noteCard: Statement = {
  name: 'note_linked_card',
  text: `
    update card_messages
    set visited_at = coalesce(visited_at, $4::timestamptz), has_refused = has_refused or $5::boolean
    where merchant_id = $1 and payment_method_id = $2 and card_ends_at = $3`,
};

interface CardRow {
  readonly customer_id: string;
  readonly subscription_id: string;
  readonly is_ended: boolean;
}

interface PaymentRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly subscription_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly state: LinkedPayment['status'];
  readonly window_ends_at: Date;
  readonly payment_method_id: string;
}

interface ContactRow {
  readonly kind: CustomerContact['kind'];
  readonly outcome: NonNullable<CustomerContact['outcome']> | null;
  readonly message_id: string | null;
  readonly at: Date;
}

export function createCustomerLinkStore(db: Queryable): CustomerLinkStore {
  return {
    async findPayment(named) {
      const { merchantId, invoiceId } = await ofDebt(db, named);
      const [row] = await db.query<PaymentRow>(findPayment, [merchantId, invoiceId]);
      return row && toPayment(row);
    },
    async findCard({ merchantId, paymentMethodId, cardEndsAt }) {
      const [row] = await db.query<CardRow>(findCard, [merchantId, paymentMethodId, cardEndsAt]);
      if (row === undefined) return undefined;
      const { customer_id: customerId, subscription_id: subscriptionId, is_ended: isEnded } = row;
      return { merchantId, customerId, subscriptionId, paymentMethodId, cardEndsAt, isEnded };
    },
    async noteCard({ merchantId, paymentMethodId, cardEndsAt }, { visitedAt, hasRefused = false }) {
      const values = [merchantId, paymentMethodId, cardEndsAt, visitedAt, hasRefused];
      await db.query(noteCard, values);
    },
    addContact: (input) => addContact(db, input),
  };
}

export async function addContact(
  db: Queryable,
  input: Parameters<CustomerLinkStore['addContact']>[0],
): Promise<void> {
  const { merchantId, contactId, invoiceId, contact } = input;
  const { kind, outcome, messageId, at } = contact;
  await db.query(add, [merchantId, contactId, invoiceId, kind, outcome, messageId, at]);
}

/** What the customer of a payment was told and did, the oldest first. */
export async function listContacts(
  db: Queryable,
  { merchantId, invoiceId }: InvoiceOf,
): Promise<readonly CustomerContact[]> {
  const rows = await db.query<ContactRow>(list, [merchantId, invoiceId]);
  return rows.map(({ kind, at, outcome, message_id: messageId }) => ({
    kind,
    at,
    ...present({ outcome: outcome ?? undefined, messageId: messageId ?? undefined }),
  }));
}

function toPayment(row: PaymentRow): LinkedPayment {
  return {
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.state,
    paymentMethodId: row.payment_method_id,
    windowEndsAt: row.window_ends_at,
    ...present({ subscriptionId: row.subscription_id ?? undefined }),
  };
}
