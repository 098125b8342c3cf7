import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/domain/json/canonical-json.ts';

test('it sorts members, drops what is undefined and composes letters', () => {
  expect(canonicalJson({ b: [1, { d: null, c: true }], a: 'e\u0301', z: undefined })).toBe(
    '{"a":"é","b":[1,{"c":true,"d":null}]}',
  );
});
