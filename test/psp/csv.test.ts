import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCsv } from '../../src/psp/csv.ts';

it('reads what RFC 4180 writes, whatever the fields hold', () => {
  const field = fc.string({ maxLength: 12 }).map((text) => `x${text.replaceAll('\r', '')}`);
  const rows = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(fc.array(field, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 6,
    }),
  );
  fc.assert(
    fc.property(rows, (data) => {
      const names = (data[0] ?? []).map((_, index) => `c${index}`);
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = [names, ...data].map((row) => row.map(quoted).join(',')).join('\r\n');
      const read = readCsv(text);
      if (read.kind !== 'rows') throw new Error(read.reason);
      expect(read.rows.map((row) => names.map((name) => row.get(name)))).toEqual(
        data.map((row) => row.map((cell) => cell.trim())),
      );
    }),
  );
});

it('names the line of a row that is too short, and of a quotation mark without an end', () => {
  expect(readCsv('a,b\n1,2\n\n3\n')).toMatchObject({ kind: 'malformed', line: 4 });
  expect(readCsv('a,b\n1,"2\n3,4')).toMatchObject({ kind: 'malformed', line: 2 });
  expect(readCsv('')).toMatchObject({ kind: 'malformed', line: 1 });
});
