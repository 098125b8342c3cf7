import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { IsTrusted } from './trusted-proxies.ts';

/** Where a request came from, before the proxies that are trusted. */
export interface SenderAddress {
  readonly address: string;
  /** Whether it came to them over TLS. */
  readonly isTls: boolean;
}

/** One hop as a proxy tells it. */
interface Hop {
  readonly from: string | undefined;
  readonly isTls: boolean;
}

/**
 * Reads X-Forwarded-For and X-Forwarded-Proto, or Forwarded (RFC 7239), of a request that a trusted proxy
 * brought: its sender is the right-most address that is no such proxy's, since what stands left of
 * it anybody may have written. Where both headers are there and differ, one was passed through unread: neither
 * is believed. From anybody else both are ignored.
 */
export function senderOf(request: IncomingMessage, isTrusted: IsTrusted): SenderAddress {
  const peer = plain(request.socket?.remoteAddress ?? '');
  if (!isTrusted(peer)) return { address: peer, isTls: false };
  const { headers } = request;
  const told = [
    xForwarded(textOf(headers['x-forwarded-for']), textOf(headers['x-forwarded-proto'])),
    forwarded(textOf(headers.forwarded)),
  ].flatMap((hops) => (hops === undefined ? [] : [beyond(peer, hops, isTrusted)]));
  const [first, second] = told;
  if (first === undefined) return { address: peer, isTls: false };
  if (second !== undefined && second.address !== first.address) {
    return { address: peer, isTls: false };
  }
  return first;
}

/** The last hop first: as far as each was brought by a proxy of ours, and tells an address. */
function beyond(peer: string, hops: readonly Hop[], isTrusted: IsTrusted): SenderAddress {
  const isTls = hops.at(-1)?.isTls ?? false;
  let address = peer;
  for (const { from } of hops.toReversed()) {
    if (from === undefined) break;
    address = from;
    if (!isTrusted(address)) break;
  }
  return { address, isTls };
}

function xForwarded(addresses: string | undefined, protocols: string | undefined) {
  if (addresses === undefined && protocols === undefined) return undefined;
  const isTls = protocols?.split(',').at(-1)?.trim().toLowerCase() === 'https';
  const hops = addresses?.split(',').map((text) => ({ from: addressIn(text), isTls }));
  return hops ?? [{ from: undefined, isTls }];
}

function forwarded(header: string | undefined): readonly Hop[] | undefined {
  return header?.split(',').map((element) => {
    const pairs = element.split(';').map((pair) => pair.trim());
    return {
      from: addressIn(textIn(pairs, 'for') ?? ''),
      isTls: textIn(pairs, 'proto')?.toLowerCase() === 'https',
    };
  });
}

function textIn(pairs: readonly string[], name: string): string | undefined {
  const pair = pairs.find((text) => text.toLowerCase().startsWith(`${name}=`));
  return pair?.slice(name.length + 1).replaceAll('"', '');
}

/** `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7`, `[2001:db8::7]:4711`; undefined for anything else. */
function addressIn(text: string): string | undefined {
  const given = text.trim();
  const bare = /^\[([^\]]*)\](:\d+)?$/.exec(given)?.[1] ?? /^([\d.]+):\d+$/.exec(given)?.[1];
  const address = plain(bare ?? given);
  return isIP(address) === 0 ? undefined : address;
}

/** An IPv4 address is the same one however the socket is of. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
