import { BlockList, isIP, isIPv4 } from 'node:net';
import { AppError } from '../../domain/errors.ts';

/** What the operator exempts from the rules for merchants' addresses. */
export interface AllowList {
  /** Whether any network is listed, so that only the resolved address can decide. */
  readonly hasNetworks: boolean;
  hasAddress(address: string): boolean;
  /** `hostname` as a URL gives it, without brackets. */
  hasHost(hostname: string, port: number): boolean;
}

/**
 * Reads the entries of an allow-list: networks (`10.1.0.0/16`, `::1/128`), single addresses, and
 * `host:port` for one server whatever it resolves to (`billing.internal:9000`, `[::1]:9000`).
 * Throws AppError config_invalid for anything else.
 */
export function readAllowList(entries: readonly string[]): AllowList {
  const ipv4 = new BlockList();
  const ipv6 = new BlockList();
  const hosts = new Set<string>();
  let hasNetworks = false;
  for (const entry of entries) {
    const network = networkOf(entry);
    if (network === undefined) {
      hosts.add(hostKeyOf(entry));
      continue;
    }
    hasNetworks = true;
    const family = isIPv4(network.address) ? 'ipv4' : 'ipv6';
    (family === 'ipv4' ? ipv4 : ipv6).addSubnet(network.address, network.bits, family);
  }
  return {
    hasNetworks,
    hasAddress: (address) => {
      if (isIPv4(address)) return ipv4.check(address, 'ipv4');
      // The IPv4 list also knows the mapped form, ::ffff:127.0.0.1, which a socket may report.
      return ipv6.check(address, 'ipv6') || ipv4.check(address, 'ipv6');
    },
    hasHost: (hostname, port) => hosts.has(`${hostname}:${port}`),
  };
}

function networkOf(entry: string): { address: string; bits: number } | undefined {
  const [address = '', bitsText, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  const max = version === 4 ? 32 : 128;
  if (bitsText === undefined) return { address, bits: max };
  const bits = Number(bitsText);
  if (!/^\d{1,3}$/.test(bitsText) || bits > max) throw refused(entry);
  return { address, bits };
}

function hostKeyOf(entry: string): string {
  const parts = /^([^\s/@?#]+):(\d{1,5})$/.exec(entry);
  // The URL parser brings the name to the form that a merchant's address will have.
  const url = URL.parse(`http://${parts?.[1] ?? ''}`);
  const port = Number(parts?.[2] ?? 0);
  if (parts === null || url === null || url.port !== '' || port < 1 || port > 65_535) {
    throw refused(entry);
  }
  return `${url.hostname.replace(/^\[|\]$/g, '')}:${port}`;
}

function refused(entry: string): AppError {
  return new AppError(
    'config_invalid',
    `OUTBOUND_ALLOW has the entry ${JSON.stringify(entry)}, which is neither a network such as 10.1.0.0/16 nor host:port.`,
  );
}
