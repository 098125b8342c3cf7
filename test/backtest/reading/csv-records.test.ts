import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCsvReader, maxRecordLength } from '../../../src/backtest/reading/csv-records.ts';

interface Read {
  readonly records: { readonly line: number; readonly fields: readonly string[] }[];
  readonly faults: { readonly line: number; readonly reason: string }[];
}

function read(pieces: readonly string[], delimiter = ','): Read {
  const result: Read = { records: [], faults: [] };
  const reader = createCsvReader(
    {
      record: (fields, line) => result.records.push({ line, fields }),
      fault: (line, reason) => result.faults.push({ line, reason }),
    },
    delimiter,
  );
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return result;
}

/** As RFC 4180 writes it. */
function written(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Cut at every so many characters. */
function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}

const field = fc.string({
  unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' '),
  maxLength: 5,
});
const tables = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 8 });

describe('createCsvReader', () => {
  it('reads back what was written, in pieces of any size and with either line end', () => {
    const ends = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 9 }), ends, (table, size, end) => {
        const text = table.map((row) => row.map(written).join(',') + end).join('');
        const { records, faults } = read(cut(text, size));
        expect(faults).toEqual([]);
        expect(records.map(({ fields }) => fields)).toEqual(table);
      }),
    );
  });

  it('takes or reports every line of any text, and never throws', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r'), maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const whole = read([text]);
        expect(read(cut(text, size))).toEqual(whole);
        const lines = [...whole.records, ...whole.faults].map(({ line }) => line);
        const count = text.split('\n').length;
        expect(new Set(lines).size).toBe(lines.length);
        for (const line of lines) expect(line).toBeLessThanOrEqual(count);
      }),
      { numRuns: 300 },
    );
  });

  it('numbers records by their first line, through breaks inside quotes and empty lines', () => {
    const { records } = read(['a,b\n\n"x\ny\nz",1\nlast,2']);
    expect(records).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 3, fields: ['x\ny\nz', '1'] },
      { line: 6, fields: ['last', '2'] },
    ]);
  });

  it('goes on at the next line after a broken record', () => {
    const { records, faults } = read(['"a"b,c\nd,e\n"open,f\ng,h\n']);
    expect(faults).toEqual([
      { line: 1, reason: 'a quote is closed before the end of its field' },
      { line: 3, reason: 'a quote is not closed' },
    ]);
    expect(records.map(({ fields }) => fields)).toEqual([
      ['d', 'e'],
      ['g', 'h'],
    ]);
  });

  it('gives up a quote that holds more than any record', () => {
    const { records, faults } = read(['"open,a\n', 'b'.repeat(maxRecordLength), '\nc,d\n']);
    expect(faults.map(({ line }) => line)).toEqual([1]);
    expect(records.at(-1)).toEqual({ line: 3, fields: ['c', 'd'] });
  });

  it('splits at another delimiter', () => {
    expect(read(['a;"b;c"\n'], ';').records[0]?.fields).toEqual(['a', 'b;c']);
  });
});
