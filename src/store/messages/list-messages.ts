import { present } from '../../domain/present.ts';
import type { Page } from '../../recovery/api.ts';
import type { CustomerMessageState } from '../../recovery/messages/message-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';

/** A message as it is kept: to whom it went is not among it. */
export interface KeptMessage {
  readonly messageId: string;
  /** Of what it is: a payment, or a card that ends before it is charged again. */
  readonly invoiceId?: string;
  readonly paymentMethodId?: string;
  readonly number: number;
  readonly reason: string;
  readonly language: string;
  readonly state: CustomerMessageState;
  readonly tries: number;
  readonly createdAt: Date;
  readonly endedAt?: Date;
  readonly lastError?: string;
}

const list: Statement = {
  name: 'list_customer_messages',
  text: `
    select message_id, invoice_id, payment_method_id, number, reason, language, state, tries,
           created_at, ended_at, last_error
    from (
      select merchant_id, message_id, invoice_id, null as payment_method_id, number, reason,
             language, state, tries, created_at, ended_at, last_error
      from customer_messages
      union all
      select merchant_id, message_id, null, payment_method_id, 1, 'card_expiring', language, state,
             tries, written_at, ended_at, last_error
      from card_messages where message_id is not null
    ) m
    where merchant_id = $1 and ($2::text is null or state = $2)
      and ($3::timestamptz is null or (created_at, message_id) < ($3, $4))
    order by created_at desc, message_id desc limit $5`,
};

interface Row {
  readonly message_id: string;
  readonly invoice_id: string | null;
  readonly payment_method_id: string | null;
  readonly number: number;
  readonly reason: string;
  readonly language: string;
  readonly state: CustomerMessageState;
  readonly tries: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly last_error: string | null;
}

/** The newest first. @throws AppError invalid_request for a cursor of another list */
export async function listMessages(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly state?: CustomerMessageState;
    readonly cursor?: string;
    readonly limit: number;
  },
): Promise<Page<KeptMessage>> {
  const { merchantId, state, cursor, limit } = input;
  const rows = await db.query<Row>(list, [merchantId, state, ...placeOf(cursor, 1), limit + 1]);
  return pageOf(rows, limit, {
    item: toMessage,
    keys: (row) => [row.created_at.toISOString(), row.message_id],
  });
}

function toMessage(row: Row): KeptMessage {
  return {
    messageId: row.message_id,
    number: row.number,
    reason: row.reason,
    language: row.language,
    state: row.state,
    tries: row.tries,
    createdAt: row.created_at,
    ...present({
      invoiceId: row.invoice_id ?? undefined,
      paymentMethodId: row.payment_method_id ?? undefined,
      endedAt: row.ended_at ?? undefined,
      lastError: row.last_error ?? undefined,
    }),
  };
}
