import type { Config } from '../config.ts';

/** The names by which the settings say that this service is asked. */
export function ourHosts(
  config: Pick<Config, 'host' | 'allowedHosts' | 'disputesUrl' | 'operatorUrl' | 'recoveryUrl'>,
): readonly string[] {
  const { disputesUrl, operatorUrl, recoveryUrl } = config;
  const urls = [disputesUrl, operatorUrl, recoveryUrl].filter((url) => url !== undefined);
  return [config.host, ...config.allowedHosts, ...urls.map((url) => new URL(url).hostname)];
}
