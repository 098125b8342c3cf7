import { isIPv6 } from 'node:net';
import type { Config } from '../../config.ts';

/**
 * Where PSPs are told to send their webhooks: DISPUTES_URL, or else where this process listens, or where
 * another one with the same settings does.
 */
export function publicDisputesUrl(
  config: Pick<Config, 'disputesUrl' | 'host' | 'disputesPort'>,
  listening: string | undefined,
): string {
  const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
  return config.disputesUrl ?? listening ?? `http://${host}:${config.disputesPort}`;
}
