import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRequestId, parseRequestId, partitionOf } from '../../src/domain/request-id.ts';

const uuid = '6f1c2c1e-3b1d-4a53-9d0f-0d7b7f3f6a11';

describe('a request id', () => {
  it('is a UUID, 56 digits and 12 digits with colons between', () => {
    const text = formatRequestId({ uuid, number: 42n, partition: 7 });
    expect(text).toBe(`${uuid}:${'42'.padStart(56, '0')}:${'7'.padStart(12, '0')}`);
  });

  it('comes back as it was', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.bigInt({ min: 0n, max: 10n ** 56n - 1n }),
        fc.nat(999_999),
        (id, number, partition) => {
          const text = formatRequestId({ uuid: id, number, partition });
          expect(parseRequestId(text)).toEqual({ uuid: id, number, partition });
        },
      ),
    );
  });

  const good = formatRequestId({ uuid, number: 1n, partition: 1 });
  it.each([
    ['', 'nothing'],
    [good.toUpperCase(), 'capital letters'],
    [` ${good}`, 'a space before'],
    [`${good}\n`, 'a line end behind'],
    [good.slice(0, -1), 'a digit too few'],
    [`${good}0`, 'a digit too many'],
    [good.replaceAll(':', '-'), 'other separators'],
    [good.replace('0000', '00x0'), 'a letter among the digits'],
  ])('of another shape is none: %j (%s)', (text) => {
    expect(parseRequestId(text)).toBeUndefined();
  });
});

describe('the partition of a merchant', () => {
  /** FNV-1a as its authors give it, over big integers. */
  function fnv1a(text: string): bigint {
    let hash = 0x811c9dc5n;
    for (const character of text) {
      hash = ((hash ^ BigInt(character.charCodeAt(0))) * 0x01000193n) % 2n ** 32n;
    }
    return hash;
  }

  it('is FNV-1a modulo 64, the same in every process and for ever', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^mer_[0-9a-z]{24}$/), (id) => {
        expect(partitionOf(id)).toBe(Number(fnv1a(id) % 64n));
      }),
    );
    expect(partitionOf('')).toBe(0x811c9dc5 % 64);
  });

  it('spreads merchants over all partitions', () => {
    const found = new Set(Array.from({ length: 1_000 }, (_, index) => partitionOf(`mer_${index}`)));
    expect(found.size).toBe(64);
  });
});
