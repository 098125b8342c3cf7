import { expect, test } from 'vitest';
import { pooledRandom } from '../../src/app/pooled-random.ts';

/** Fills with 1, 2, 3 … over all calls, so that a byte given twice would be seen. */
function counting(): (buffer: Uint8Array) => void {
  let next = 0;
  return (buffer) => {
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    for (let at = 0; at + 4 <= buffer.length; at += 4) {
      next += 1;
      view.setUint32(at, next);
    }
  };
}

function numbers(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4));
}

test('no byte is given twice, across the pool’s end too', () => {
  const random = pooledRandom(counting());
  const seen = Array.from({ length: 2_000 }, () => numbers(random.bytes(16))).flat();
  expect(new Set(seen).size).toBe(8_000);
  expect(seen).not.toContain(0);
});

test('what was given stays as it was when more is asked for', () => {
  const random = pooledRandom(counting());
  const first = random.bytes(8);
  const before = [...first];
  for (let index = 0; index < 5_000; index += 1) random.bytes(8);
  expect([...first]).toEqual(before);
});

test('more than the pool holds is filled on its own', () => {
  const bytes = pooledRandom(counting()).bytes(20_000);
  expect(new Set(numbers(bytes)).size).toBe(5_000);
});
