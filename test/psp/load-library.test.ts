import { expect, it } from 'vitest';
import { loadLibrary } from '../../src/psp/load-library.ts';

it('names the library that is missing', () => {
  expect(() => loadLibrary('library-of-no-processor')).toThrow(/library-of-no-processor/);
});
