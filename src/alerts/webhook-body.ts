import { type AlertKind, type AlertSeverity, alertKinds } from '../domain/alerts/alert-kinds.ts';
import { present } from '../domain/present.ts';
import type { AlertItem, AlertMessage } from '../recovery/alerts/alert-ports.ts';
import type { Links } from './message-text.ts';

export const alertWebhookType = 'alerts';

interface AlertBody {
  /** The same in every message of this alert. */
  readonly key: string;
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  readonly state: AlertItem['state'];
  readonly count: number;
  readonly title: string;
  readonly detail: string;
  readonly at: string;
  readonly merchant_id?: string;
  readonly merchant_name?: string;
  readonly url?: string;
}

/** What a generic webhook is sent. `id` is the same at each try. */
export interface AlertsBody {
  readonly type: typeof alertWebhookType;
  readonly id: string;
  readonly created_at: string;
  readonly alerts: readonly AlertBody[];
}

export function webhookBody(message: AlertMessage, links: Links): AlertsBody {
  return {
    type: alertWebhookType,
    id: message.messageId,
    created_at: message.createdAt.toISOString(),
    alerts: message.items.map((item) => alertBody(item, links)),
  };
}

function alertBody(item: AlertItem, { dashboard }: Links): AlertBody {
  const { key, kind, state, count, title, detail, at, merchantId, merchantName } = item;
  const { severity, page } = alertKinds[kind];
  return {
    key,
    kind,
    severity,
    state,
    count,
    title,
    detail,
    at: at.toISOString(),
    ...present({
      merchant_id: merchantId,
      merchant_name: merchantName,
      url: dashboard === undefined ? undefined : `${dashboard}${page}`,
    }),
  };
}
