import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { uuidFrom } from '../../../src/domain/ids.ts';
import { uuidSource } from '../../../src/http/server/uuid-source.ts';

test('writes the bytes as any version 4 UUID, across refills', () => {
  const given: Uint8Array[] = [];
  const next = uuidSource({
    bytes: (count) => {
      const bytes = randomBytes(count);
      given.push(bytes);
      return bytes;
    },
  });
  const uuids = Array.from({ length: 600 }, () => next());
  const bytes = Buffer.concat(given);
  expect(uuids).toEqual(
    uuids.map((_, index) => uuidFrom(bytes.subarray(index * 16, index * 16 + 16))),
  );
  expect(given.length).toBeGreaterThan(1);
});
