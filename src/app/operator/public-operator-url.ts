import { isIPv6 } from 'node:net';
import type { Config } from '../../config.ts';

/**
 * How browsers reach the operator port: OPERATOR_URL, or else where this process listens, or where another one with
 * the same settings does.
 */
export function publicOperatorUrl(
  config: Pick<Config, 'operatorUrl' | 'host' | 'operatorPort'>,
  listening: string | undefined,
): string {
  const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
  return config.operatorUrl ?? listening ?? `http://${host}:${config.operatorPort}`;
}
