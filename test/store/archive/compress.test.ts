import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compress, decompress } from '../../../src/store/archive/compress.ts';
import { firstDictionary } from '../../../src/store/archive/dictionary.ts';
import { packedTables, unsaid } from '../../../src/store/archive/packed-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';
import { queryOnce } from '../../kits/query-once.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it('every text comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 4_000 }), (text) => {
      expect(decompress(compress(text))).toBe(text);
    }),
  );
});

it('what a dictionary knows takes next to no room', () => {
  const text = firstDictionary.slice(-2_000);
  expect(compress(text).length).toBeLessThan(40);
});

it('a text of another dictionary is not read by this one', () => {
  const other = Buffer.from(compress('{}'));
  other[0] = 2;
  expect(() => decompress(other)).toThrow('a packed payment says a dictionary that there is');
  expect(() => decompress(Buffer.of())).toThrow('a packed payment says a dictionary that there is');
});

it('what reads the packed rows that are kept has never changed', () => {
  expect(sha256(firstDictionary)).toBe(
    '4401a27937a02159c7fd7d0ca9c2c2d13fc4bea65ddedaf24dd093e38b9c5b0a',
  );
  expect(sha256(JSON.stringify(unsaid))).toBe(
    '95a1913bed806d7969e908973316e56541c3e2567dd3e8d848faaa8e385e3934',
  );
});

it('a row that is packed without a column gets its value back', async () => {
  const rows = await queryOnce(
    database.connectionString,
    `select attrelid::regclass::text as table, attname as column, pg_get_expr(d.adbin, d.adrelid) as value
     from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where attnotnull and attrelid = any (array['${packedTables.join("', '")}']::regclass[])`,
  );
  expect(rows.length).toBeGreaterThan(8);
  const missing = rows.filter(
    ({ table, column }) => !(String(column) in unsaid[table as keyof typeof unsaid]),
  );
  expect(missing).toEqual([]);
});
