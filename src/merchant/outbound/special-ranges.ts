import { BlockList, isIPv4, isIPv6 } from 'node:net';

interface Range {
  readonly what: string;
  readonly networks: readonly string[];
}

/**
 * Networks in which no public server of a merchant can be. Sources: the IANA special-purpose
 * address registries for IPv4 and IPv6 (RFC 6890 and its updates), the multicast registries, and
 * Azure's platform address, which is public by number only. The first match names the address.
 */
const ipv4Ranges: readonly Range[] = [
  { what: 'this network', networks: ['0.0.0.0/8'] },
  { what: 'private use', networks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] },
  { what: 'shared by carriers', networks: ['100.64.0.0/10'] },
  { what: 'loopback', networks: ['127.0.0.0/8'] },
  { what: 'platform service of a cloud', networks: ['168.63.129.16/32'] },
  { what: 'link-local', networks: ['169.254.0.0/16'] },
  { what: 'protocol assignments', networks: ['192.0.0.0/24'] },
  { what: 'documentation', networks: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'] },
  { what: 'AS112 sink', networks: ['192.31.196.0/24', '192.175.48.0/24'] },
  { what: 'multicast relay', networks: ['192.52.193.0/24'] },
  { what: '6to4 relay', networks: ['192.88.99.0/24'] },
  { what: 'benchmarking', networks: ['198.18.0.0/15'] },
  { what: 'multicast', networks: ['224.0.0.0/4'] },
  { what: 'broadcast', networks: ['255.255.255.255/32'] },
  { what: 'reserved', networks: ['240.0.0.0/4'] },
];

const ipv6Ranges: readonly Range[] = [
  { what: 'unspecified', networks: ['::/128'] },
  { what: 'loopback', networks: ['::1/128'] },
  { what: 'an IPv4 address in IPv6 form', networks: ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96'] },
  { what: 'IPv4 translation', networks: ['64:ff9b::/96', '64:ff9b:1::/48'] },
  { what: 'discard only', networks: ['100::/64', '100:0:0:1::/64'] },
  { what: 'Teredo', networks: ['2001::/32'] },
  { what: 'protocol assignments', networks: ['2001::/23'] },
  { what: 'documentation', networks: ['2001:db8::/32', '3fff::/20'] },
  { what: '6to4', networks: ['2002::/16'] },
  { what: 'AS112 sink', networks: ['2620:4f:8000::/48'] },
  { what: 'segment routing', networks: ['5f00::/16'] },
  { what: 'private use', networks: ['fc00::/7'] },
  { what: 'link-local', networks: ['fe80::/10'] },
  { what: 'site-local', networks: ['fec0::/10'] },
  { what: 'multicast', networks: ['ff00::/8'] },
  // All that is not 2000::/3: the IETF has given out global unicast addresses from there alone.
  { what: 'outside global unicast', networks: ['::/3', '4000::/2', '8000::/1'] },
];

const compiledIpv4 = ipv4Ranges.map((range) => compile(range, 'ipv4'));
const compiledIpv6 = ipv6Ranges.map((range) => compile(range, 'ipv6'));

/**
 * Why `address` is not public, in a word or two such as `private use`, or undefined for a public
 * one. A text that is not an address is not public.
 */
export function specialRangeOf(address: string): string | undefined {
  // A list of IPv6 networks also judges IPv4 addresses by their mapped form, so each has its own.
  if (isIPv4(address)) return whatOf(compiledIpv4, address, 'ipv4');
  // BlockList passes an address with a zone (fe80::1%eth0) unseen; a zone is never public.
  if (!isIPv6(address) || address.includes('%')) return 'not an address of the internet';
  return whatOf(compiledIpv6, address, 'ipv6');
}

interface Compiled {
  readonly what: string;
  readonly list: BlockList;
}

function compile(range: Range, family: 'ipv4' | 'ipv6'): Compiled {
  const list = new BlockList();
  for (const network of range.networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return { what: range.what, list };
}

function whatOf(
  ranges: readonly Compiled[],
  address: string,
  family: 'ipv4' | 'ipv6',
): string | undefined {
  return ranges.find((range) => range.list.check(address, family))?.what;
}
