import { present } from '../../domain/present.ts';
import type { SentMessage } from '../../recovery/alerts/alert-ports.ts';
import type { Page } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import { itemsOf, type KeptItem } from './alert-rows.ts';

const list: Statement = {
  name: 'list_alert_messages',
  text: `
    select message_id, channel_id, items, state, tries, created_at, next_try_at, ended_at, last_error
    from alert_messages
    where ($1::text is null or channel_id = $1) and ($2::text is null or state = $2)
      and ($3::timestamptz is null or (created_at, message_id) < ($3, $4))
    order by created_at desc, message_id desc limit $5`,
};

interface MessageRow {
  readonly message_id: string;
  readonly channel_id: string;
  readonly items: readonly KeptItem[];
  readonly state: SentMessage['state'];
  readonly tries: number;
  readonly created_at: Date;
  readonly next_try_at: Date | null;
  readonly ended_at: Date | null;
  readonly last_error: string | null;
}

export interface ListAlertMessages {
  readonly channelId?: string;
  readonly state?: SentMessage['state'];
  readonly cursor?: string;
  readonly limit: number;
}

/** What channels were sent, the newest first. @throws AppError invalid_request for a cursor of another list */
export async function listAlertMessages(
  db: Queryable,
  { channelId, state, cursor, limit }: ListAlertMessages,
): Promise<Page<SentMessage>> {
  const rows = await db.query<MessageRow>(list, [
    channelId,
    state,
    ...placeOf(cursor, 1),
    limit + 1,
  ]);
  return pageOf(rows, limit, {
    item: toMessage,
    keys: (row) => [row.created_at.toISOString(), row.message_id],
  });
}

function toMessage(row: MessageRow): SentMessage {
  return {
    messageId: row.message_id,
    channelId: row.channel_id,
    items: itemsOf(row.items),
    state: row.state,
    tries: row.tries,
    createdAt: row.created_at,
    ...present({
      nextTryAt: row.next_try_at ?? undefined,
      endedAt: row.ended_at ?? undefined,
      lastError: row.last_error ?? undefined,
    }),
  };
}
