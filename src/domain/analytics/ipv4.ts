const octet = '(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])';
const shape = new RegExp(`^${octet}(?:\\.${octet}){3}$`);

/**
 * Whether a text is an IPv4 address in its one unambiguous form: four decimal numbers, no leading
 * zeros (some programs read those as octal), no blanks, no network's length.
 */
export function isIpv4(text: string): boolean {
  return shape.test(text);
}

/**
 * Networks whose addresses no customer on the internet has. Source: the IANA IPv4 special-purpose
 * address registry (RFC 6890 and its updates) and the multicast space (RFC 5771).
 */
const specialNetworks: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private use
  ['100.64.0.0', 10], // shared by carriers
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12], // private use
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast relay
  ['192.88.99.0', 24], // 6to4 relay
  ['192.168.0.0', 16], // private use
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, with the broadcast address
];

const ranges = specialNetworks.map(([address, bits]) => {
  const first = numberOf(address);
  return { first, last: first + 2 ** (32 - bits) - 1 };
});

/** Whether an IPv4 address can be a customer's on the internet; card networks take no other. */
export function isPublicIpv4(address: string): boolean {
  const number = numberOf(address);
  return !ranges.some(({ first, last }) => number >= first && number <= last);
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
