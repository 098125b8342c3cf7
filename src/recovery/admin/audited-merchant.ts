import { defaultTimeZone } from '../../domain/merchant.ts';
import type { Json, JsonObject } from '../../domain/payment.ts';
import type { MerchantView } from '../operator-api.ts';

/**
 * A merchant's settings as the audit log keeps them. Of addresses the query and the user are left out:
 * either may be a secret of the merchant's.
 */
export function auditedMerchant(merchant: MerchantView): JsonObject {
  return {
    name: merchant.name,
    retry_status_url: withoutSecrets(merchant.retryStatusUrl),
    webhook_url: withoutSecrets(merchant.webhookUrl),
    policy: { ...merchant.policy } as JsonObject,
    time_zone: merchant.timeZone ?? defaultTimeZone,
    end_of_dunning: merchant.endOfDunning,
    incident_events: merchant.incidentEvents ?? false,
    customer_action_events: merchant.customerActionEvents ?? false,
    customer_page_url:
      merchant.customerPageUrl === undefined ? null : withoutSecrets(merchant.customerPageUrl),
    webhook_quick_sends: merchant.webhookQuickSends ?? false,
    webhook_pause_after_days: merchant.webhookPauseAfterDays ?? null,
    psps: [...merchant.psps],
    auth: merchant.authType,
  };
}

/** What differs between the settings before a change and after it. */
export function auditedChange(
  before: MerchantView,
  after: MerchantView,
): { readonly before: JsonObject; readonly after: JsonObject } {
  const old = auditedMerchant(before);
  const next = auditedMerchant(after);
  const changed = Object.keys(next).filter((name) => !isSame(old[name], next[name]));
  return { before: only(old, changed), after: only(next, changed) };
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function only(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function withoutSecrets(address: string): string {
  const url = new URL(address);
  const query = url.search === '' ? '' : '?…';
  // The merchant's own text: the parser would write the braces of a parameter otherwise.
  const path = address.replace(/^[^/]*\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  return `${url.protocol}//${url.host}${path}${query}`;
}
