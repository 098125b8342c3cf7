import { AppError } from '../../domain/errors.ts';
import { maxPauseAfterDays } from '../../domain/webhooks/webhook-endpoint.ts';
import { readWebhookHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { authFaults } from '../admin/check-merchant.ts';
import type { CheckMerchantUrl } from '../admin/ports.ts';
import type { EndpointChange } from './endpoint-ports.ts';

/**
 * Refuses what an endpoint cannot have, every fault in one sentence that names its field. Fields that
 * are absent are not judged. Answers the headers by their lower-case names.
 *
 * @throws AppError invalid_request, merchant_url_refused
 */
export async function checkEndpoint(
  deps: { readonly checkMerchantUrl: CheckMerchantUrl },
  fields: EndpointChange,
  authType: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { auth, eventTypes, pauseAfterDays, url } = fields;
  const read = fields.headers && readWebhookHeaders(fields.headers, authType);
  const faults = [
    ...(auth === undefined ? [] : authFaults(auth)),
    ...(eventTypes?.length === 0 ? ['event_types must name at least one event.'] : []),
    ...(isDays(pauseAfterDays) ? [] : [`pause_after_days must be 1 to ${maxPauseAfterDays}.`]),
    ...(read !== undefined && 'faults' in read ? read.faults : []),
  ];
  if (faults.length > 0) throw new AppError('invalid_request', faults.join(' '));
  if (url !== undefined) {
    const verdict = await deps.checkMerchantUrl(url);
    if (verdict.kind === 'refused') {
      throw new AppError('merchant_url_refused', `url is refused: ${verdict.detail}`);
    }
  }
  return read !== undefined && 'headers' in read ? read.headers : undefined;
}

function isDays(days: number | null | undefined): boolean {
  if (days === undefined || days === null) return true;
  return Number.isInteger(days) && days >= 1 && days <= maxPauseAfterDays;
}
