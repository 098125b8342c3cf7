import { describe, expect, test } from 'vitest';
import {
  looksHashed,
  readFingerprint,
  readIp,
  readShippingAddress,
} from '../../../../src/domain/disputes/ce3/element-formats.ts';

describe('an IP address', () => {
  test.each([
    ['8.8.8.8', undefined],
    ['2001:4860:4860::8888', undefined],
    ['10.0.0.1', 'private use'],
    ['100.64.0.1', 'shared by carriers'],
    ['127.0.0.1', 'loopback'],
    ['169.254.1.1', 'link-local'],
    ['192.0.2.1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['250.0.0.1', 'reserved'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['fe80::1', 'link-local'],
    ['fd12:3456::1', 'private use'],
    ['2001:db8::1', 'documentation'],
    ['2002:c000:204::1', '6to4'],
    ['64:ff9b::8.8.8.8', 'IPv4 translation'],
    ['::ffff:10.0.0.1', 'private use'],
    ['4001::1', 'outside global unicast'],
  ])('%s', (text, why) => {
    expect(readIp(text)).toEqual(
      why === undefined
        ? expect.objectContaining({ kind: 'usable' })
        : { kind: 'refused', why: `it is not public (${why})` },
    );
  });

  test.each([
    '',
    '8.8.8',
    '08.8.8.8',
    '8.8.8.256',
    '1::2::3',
    '1:2:3',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7::8:9',
    'a'.repeat(64),
  ])('%j is none', (text) => expect(readIp(text).kind).toBe('refused'));

  test.each([
    ['2001:4860:4860::8888', '2001:4860:4860:0:0:0:0:8888'],
    ['2A00:1450::8A', '2a00:1450:0::8a'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
  ])('%s is %s', (one, other) => expect(readIp(one)).toEqual(readIp(other)));
});

test.each([
  ['d41d8cd98f00b204e9800998ecf8427e', true],
  ['da39a3ee5e6b4b0d3255bfef95601890afd80709', true],
  ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', true],
  ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', true],
  ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', false],
  ['device-0123456789', false],
])('whether %s looks hashed: %s', (text, expected) => expect(looksHashed(text)).toBe(expected));

test('a fingerprint has 20 characters', () => {
  expect(readFingerprint('x'.repeat(19)).kind).toBe('refused');
  expect(readFingerprint('x'.repeat(20)).kind).toBe('usable');
});

test('an address is the same in another case, with other points and accents', () => {
  const one = { line1: 'Café-Straße 1', city: 'Köln', postalCode: '50667', country: 'DE' };
  const other = { line1: 'CAFÉ-STRAßE 1.', city: 'Koln', postalCode: '50 667', country: 'de' };
  expect(readShippingAddress(one, 'adyen')).toEqual(readShippingAddress(other, 'adyen'));
  // In small letters: great ones would make two of the one ß.
  expect(readShippingAddress(one, 'adyen')).toEqual({
    kind: 'usable',
    comparable: 'cafestraße1||koln||50667|de',
  });
});
