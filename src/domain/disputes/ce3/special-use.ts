import { type InternetAddress, readInternetAddress } from './internet-address.ts';

/**
 * Networks from which no customer comes by a public address. Sources: the IANA special-purpose
 * address registries for IPv4 and IPv6 (RFC 6890 and its updates) and the multicast registries. Those
 * that the registries call globally reachable are services by number, and no customer's either.
 */
const specialNetworks: readonly (readonly [what: string, networks: readonly string[]])[] = [
  ['this network', ['0.0.0.0/8']],
  ['private use', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
  ['shared by carriers', ['100.64.0.0/10']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['documentation', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24']],
  ['documentation', ['2001:db8::/32', '3fff::/20']],
  ['AS112 sink', ['192.31.196.0/24', '192.175.48.0/24', '2620:4f:8000::/48']],
  ['multicast relay', ['192.52.193.0/24']],
  ['6to4', ['192.88.99.0/24', '2002::/16']],
  ['benchmarking', ['198.18.0.0/15', '2001:2::/48']],
  ['protocol assignments', ['192.0.0.0/24', '2001::/23']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['broadcast', ['255.255.255.255/32']],
  ['reserved', ['240.0.0.0/4']],
  ['unspecified', ['::/128']],
  ['IPv4 translation', ['64:ff9b::/96', '64:ff9b:1::/48']],
  ['discard only', ['100::/64', '100:0:0:1::/64']],
  ['segment routing', ['5f00::/16']],
  // All that is not 2000::/3: the IETF has given out global unicast addresses from there alone.
  ['outside global unicast', ['::/3', '4000::/2', '8000::/1']],
];

interface Network {
  readonly what: string;
  readonly bits: 32 | 128;
  readonly prefix: bigint;
  readonly hostBits: bigint;
}

const compiled = specialNetworks.flatMap(([what, networks]) =>
  networks.flatMap((network) => compile(what, network)),
);

/** Why an address is not public, in a word or two; undefined for a public one. */
export function specialUseOf(address: InternetAddress): string | undefined {
  return compiled.find(
    ({ bits, prefix, hostBits }) => bits === address.bits && address.value >> hostBits === prefix,
  )?.what;
}

function compile(what: string, network: string): readonly Network[] {
  const [text = '', length = ''] = network.split('/');
  const address = readInternetAddress(text);
  if (address === undefined) return [];
  const hostBits = BigInt(address.bits - Number(length));
  return [{ what, bits: address.bits, prefix: address.value >> hostBits, hostBits }];
}
