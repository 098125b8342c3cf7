import type { Config } from '../config.ts';

/** The names by which the settings say that this service is asked. */
export function ourHosts(
  config: Pick<Config, 'host' | 'allowedHosts' | 'disputesUrl' | 'operatorUrl'>,
): readonly string[] {
  const urls = [config.disputesUrl, config.operatorUrl].filter((url) => url !== undefined);
  return [config.host, ...config.allowedHosts, ...urls.map((url) => new URL(url).hostname)];
}
