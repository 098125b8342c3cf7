/** An address as a number, IPv4 with 32 bits and IPv6 with 128. */
export interface InternetAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/**
 * Reads an IPv4 or IPv6 address (RFC 4291, with an embedded IPv4 address too), or gives undefined.
 * An IPv4 address in IPv6 form (::ffff:0:0/96) is its IPv4 address: servers that listen on both
 * write it so. Leading zeros of IPv4 and zones of IPv6 are refused.
 */
export function readInternetAddress(text: string): InternetAddress | undefined {
  const trimmed = text.trim();
  if (!trimmed.includes(':')) {
    const value = ipv4(trimmed);
    return value === undefined ? undefined : { bits: 32, value };
  }
  const value = ipv6(trimmed);
  if (value === undefined) return undefined;
  const isMapped = value >> 32n === 0xffffn;
  return isMapped ? { bits: 32, value: value & 0xffff_ffffn } : { bits: 128, value };
}

function ipv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function ipv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const isWhole = halves.length === 1;
  const [head, tail] = [groupsOf(halves[0] ?? '', isWhole), groupsOf(halves[1] ?? '', true)];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  // Two colons stand for at least one group of zeros.
  if (isWhole ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/** `isEnd`: an IPv4 address may stand as the last of them. */
function groupsOf(text: string, isEnd: boolean): readonly bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const embedded = isEnd && index === parts.length - 1 ? ipv4(part) : undefined;
      if (embedded === undefined) return undefined;
      groups.push(embedded >> 16n, embedded & 0xffffn);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return undefined;
      groups.push(BigInt(`0x${part}`));
    }
  }
  return groups;
}
