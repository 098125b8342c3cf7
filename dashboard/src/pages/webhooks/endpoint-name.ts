import type { EndpointHealthJson } from '../../api/generated/deliveries.ts';

/** An endpoint as people tell it from the merchant's others: by its server. */
export function endpointName({ endpoint_id: id, webhook_url: url }: EndpointHealthJson): string {
  const host = URL.parse(url)?.host ?? url;
  return id === 'primary' ? `${host} (every event)` : host;
}
