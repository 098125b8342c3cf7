import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { senderOf } from '../../../src/http/proxies/sender-of.ts';
import { trustedProxies } from '../../../src/http/proxies/trusted-proxies.ts';

const isTrusted = trustedProxies(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']);

function from(peer: string, headers: Record<string, string>) {
  const request = { headers, socket: { remoteAddress: peer } };
  return senderOf(request as unknown as IncomingMessage, isTrusted);
}

test.each([
  // From a proxy: the right-most address that is no proxy of ours.
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
  ['10.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }, '203.0.113.9'],
  ['10.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.2.2.2' }, '203.0.113.9'],
  ['::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.9:4711' }, '203.0.113.9'],
  ['fd00::1', { 'x-forwarded-for': '[2001:db8::7]:4711' }, '2001:db8::7'],
  ['192.0.2.1', { forwarded: 'for=198.51.100.1, for="[2001:db8::7]";proto=https' }, '2001:db8::7'],
  ['10.0.0.1', { 'x-forwarded-for': '10.1.1.1, 10.2.2.2' }, '10.1.1.1'],
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }, '203.0.113.9'],
  // One of both was passed through as somebody wrote it.
  ['10.0.0.1', { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=203.0.113.9' }, '10.0.0.1'],
  // What tells no address tells nothing, nor does what stands left of it.
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.9, unknown' }, '10.0.0.1'],
  ['10.0.0.1', { forwarded: 'for=_hidden' }, '10.0.0.1'],
  ['10.0.0.1', { 'x-forwarded-for': '' }, '10.0.0.1'],
  ['10.0.0.1', {}, '10.0.0.1'],
  // From anybody else.
  ['203.0.113.9', { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=10.0.0.1' }, '203.0.113.9'],
  ['192.0.2.2', { 'x-forwarded-for': '198.51.100.1' }, '192.0.2.2'],
])('a request from %s with %j is from %s', (peer, headers, address) => {
  expect(from(peer, headers as Record<string, string>).address).toBe(address);
});

test('TLS is what the last proxy of ours says, and nobody else', () => {
  const tls = (peer: string, headers: Record<string, string>) => from(peer, headers).isTls;
  const address = { 'x-forwarded-for': '203.0.113.9' };
  expect(tls('10.0.0.1', { ...address, 'x-forwarded-proto': 'https' })).toBe(true);
  expect(tls('10.0.0.1', { 'x-forwarded-proto': 'https' })).toBe(true);
  expect(tls('10.0.0.1', { ...address, 'x-forwarded-proto': 'https, http' })).toBe(false);
  expect(tls('10.0.0.1', { forwarded: 'for=203.0.113.9;proto=https' })).toBe(true);
  expect(tls('10.0.0.1', address)).toBe(false);
  expect(tls('203.0.113.1', { ...address, 'x-forwarded-proto': 'https' })).toBe(false);
});

test.each(['10.0.0.0/33', '10.0.0', 'proxy.internal', '::1/129', '10.0.0.0/8/8', '10.0.0.0/-1'])(
  '%s names no proxy',
  (text) => {
    expect(() => trustedProxies([text])).toThrow(RangeError);
  },
);
