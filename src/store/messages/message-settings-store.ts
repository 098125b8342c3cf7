import type { NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import {
  defaultMessageSettings,
  type MessageSettings,
} from '../../domain/messages/message-settings.ts';
import type { MessageReason } from '../../domain/messages/message-template.ts';
import { present } from '../../domain/present.ts';
import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type { MessageSettingsStore } from '../../recovery/messages/message-settings-port.ts';
import { appendAudit } from '../admin/audit-log.ts';
import { lockMerchant } from '../admin/merchants.ts';
import type { Database, Queryable, Statement } from '../database.ts';

export const settingsColumns = `
  s.sender, s.reply_to, s.time_zone, s.quiet_from, s.quiet_until, s.max_messages,
  s.first_after_hours, s.gap_hours, s.holdout_share, s.language`;

export interface SettingsRow {
  readonly sender: string | null;
  readonly reply_to: string | null;
  readonly time_zone: string | null;
  readonly quiet_from: number;
  readonly quiet_until: number;
  readonly max_messages: number;
  readonly first_after_hours: number;
  readonly gap_hours: number;
  readonly holdout_share: number;
  readonly language: string;
}

const read: Statement = {
  name: 'read_message_settings',
  text: `
    select m.name, m.customer_page_url, m.messages_on, ${settingsColumns}
    from merchants m left join message_settings s using (merchant_id)
    where m.merchant_id = $1`,
};

const templates: Statement = {
  name: 'list_message_templates',
  text: `
    select t.reason, t.language, t.subject, t.body from message_templates t
    where t.merchant_id = $1 order by t.reason, t.language`,
};

const write: Statement = {
  name: 'write_message_settings',
  text: `
    with switched as (update merchants set messages_on = $2 where merchant_id = $1)
    insert into message_settings (merchant_id, sender, reply_to, time_zone, quiet_from, quiet_until,
      max_messages, first_after_hours, gap_hours, holdout_share, language, updated_at)
    values ($1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    on conflict (merchant_id) do update set
      sender = excluded.sender, reply_to = excluded.reply_to, time_zone = excluded.time_zone,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
      max_messages = excluded.max_messages, first_after_hours = excluded.first_after_hours,
      gap_hours = excluded.gap_hours, holdout_share = excluded.holdout_share,
      language = excluded.language, updated_at = excluded.updated_at`,
};

const setTemplate: Statement = {
  name: 'set_message_template',
  text: `
    insert into message_templates (merchant_id, reason, language, subject, body, updated_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (merchant_id, reason, language) do update set
      subject = excluded.subject, body = excluded.body, updated_at = excluded.updated_at`,
};

const removeTemplate: Statement = {
  name: 'remove_message_template',
  text: `
    delete from message_templates where merchant_id = $1 and reason = $2 and language = $3
    returning true`,
};

interface ReadRow extends SettingsRow {
  readonly name: string;
  readonly customer_page_url: string | null;
  readonly messages_on: boolean;
}

export function createMessageSettingsStore(db: Database): MessageSettingsStore {
  return {
    find: (merchantId) => findSettings(db, merchantId),
    change: (merchantId, decide) =>
      db.transaction(async (tx) => {
        if (!(await lockMerchant(tx, merchantId))) return undefined;
        const known = await findSettings(tx, merchantId);
        if (known === undefined) return undefined;
        const { settings, audit } = decide(known);
        await tx.query(write, [merchantId, settings.isOn, ...valuesOf(settings), audit.at]);
        await appendAudit(tx, merchantId, audit);
        return { ...known, settings };
      }),
    setTemplate: ({ merchantId, template, audit }) =>
      audited(db, merchantId, audit, async (tx) => {
        const { reason, language, subject, body } = template;
        await tx.query(setTemplate, [merchantId, reason, language, subject, body, audit.at]);
        return true;
      }),
    removeTemplate: ({ merchantId, reason, language, audit }) =>
      audited(db, merchantId, audit, async (tx) => {
        return (await tx.query(removeTemplate, [merchantId, reason, language])).length > 0;
      }),
  };
}

async function audited(
  db: Database,
  merchantId: string,
  audit: AuditEntry,
  work: (tx: Queryable) => Promise<boolean>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return false;
    const isDone = await work(tx);
    if (isDone) await appendAudit(tx, merchantId, audit);
    return isDone;
  });
}

async function findSettings(db: Queryable, merchantId: string) {
  const [row] = await db.query<ReadRow>(read, [merchantId]);
  if (row === undefined) return undefined;
  const own = await db.query<NamedTemplate & { reason: MessageReason }>(templates, [merchantId]);
  return {
    merchantName: row.name,
    settings: toSettings(row, row.messages_on),
    templates: own,
    ...present({ customerPageUrl: row.customer_page_url ?? undefined }),
  };
}

/** Of a merchant that has chosen nothing: what is usual. */
export function toSettings(row: SettingsRow, isOn: boolean): MessageSettings {
  if (row.time_zone === null) return { ...defaultMessageSettings, isOn };
  return {
    isOn,
    timeZone: row.time_zone,
    quietFrom: row.quiet_from,
    quietUntil: row.quiet_until,
    maxMessages: row.max_messages,
    firstAfterHours: row.first_after_hours,
    gapHours: row.gap_hours,
    holdoutShare: row.holdout_share,
    language: row.language,
    ...present({ sender: row.sender ?? undefined, replyTo: row.reply_to ?? undefined }),
  };
}

function valuesOf(settings: MessageSettings): readonly unknown[] {
  return [
    settings.sender,
    settings.replyTo,
    settings.timeZone,
    settings.quietFrom,
    settings.quietUntil,
    settings.maxMessages,
    settings.firstAfterHours,
    settings.gapHours,
    settings.holdoutShare,
    settings.language,
  ];
}
