/** Hextets of the smallest network that one customer of a provider is given (RFC 6177: a /64 or more). */
const networkHextets = 4;

/**
 * What requests of one sender are counted by: its IPv4 address, or the /64 network of its IPv6 address,
 * in which it has as many addresses as it likes.
 */
export function addressBlock(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const hextets =
    tail === undefined ? first : [...first, ...zeros(8 - first.length - last.length), ...last];
  return `${hextets.slice(0, networkHextets).join(':')}::/64`;
}

function zeros(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '0');
}
