import { expect, test } from 'vitest';
import { sideBySide } from '../../../src/recovery/reconciliation/side-by-side.ts';

/** Work that ends when it is told to, and what has begun so far. */
function workToEnd() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    work: (item: string) => {
      begun.push(item);
      const end = Promise.withResolvers<void>();
      ends.set(item, end);
      return end.promise;
    },
    end: (item: string) => ends.get(item)?.resolve(),
    fail: (item: string) => ends.get(item)?.reject(new Error(`${item} failed`)),
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('so many are under way at once, and each that ends makes room for the next in its turn', async () => {
  const { begun, work, end } = workToEnd();
  const done = sideBySide(['a', 'b', 'c', 'd'], 2, work);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  await done;
});

test('after a failure nothing is begun, and it is told once those under way have ended', async () => {
  const { begun, work, end, fail } = workToEnd();
  let told: unknown;
  const done = sideBySide(['a', 'b', 'c'], 2, work).catch((error: unknown) => {
    told = error;
  });
  await turn();
  fail('a');
  await turn();
  expect(told).toBeUndefined();
  end('b');
  await done;
  expect(told).toEqual(new Error('a failed'));
  expect(begun).toEqual(['a', 'b']);
});
