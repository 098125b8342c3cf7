import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isIpv4, isPublicIpv4 } from '../../../src/domain/analytics/ipv4.ts';
import { specialRangeOf } from '../../../src/merchant/outbound/special-ranges.ts';

describe('an IPv4 address', () => {
  it.each(['0.0.0.0', '8.8.4.4', '255.255.255.255', '1.20.200.250'])('%s is one', (text) => {
    expect(isIpv4(text)).toBe(true);
  });

  it.each([
    '01.2.3.4',
    '1.2.3.04',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4\n',
    '1.2.3.4/32',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '0x1.2.3.4',
    '١.2.3.4',
    '::1',
    '',
  ])('%j is none', (text) => {
    expect(isIpv4(text)).toBe(false);
  });

  it('is what Node takes for one', () => {
    const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '+1', '1e1'));
    const texts = fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(texts, (text) => {
        expect(isIpv4(text)).toBe(isIPv4(text));
      }),
    );
  });

  it.each([
    ['9.255.255.255', true],
    ['10.0.0.0', false],
    ['10.255.255.255', false],
    ['11.0.0.0', true],
    ['100.63.255.255', true],
    ['100.64.0.0', false],
    ['100.127.255.255', false],
    ['100.128.0.0', true],
    ['172.15.255.255', true],
    ['172.16.0.0', false],
    ['172.31.255.255', false],
    ['172.32.0.0', true],
    ['198.17.255.255', true],
    ['198.19.255.255', false],
    ['223.255.255.255', true],
    ['224.0.0.0', false],
    ['255.255.255.255', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(isPublicIpv4(address)).toBe(isPublic);
  });

  it('is public where a server may be called, but for the clouds’ platform address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        if (address === '168.63.129.16') return;
        expect(isPublicIpv4(address)).toBe(specialRangeOf(address) === undefined);
      }),
    );
  });
});
