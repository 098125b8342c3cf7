/** One row of a report by its column names, with the number of its line. */
export interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
  get(column: string): string | undefined;
}

export type CsvReading =
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

/** Reads CSV of RFC 4180 whose first row names the columns; empty lines are passed over. */
export function readCsv(text: string): CsvReading {
  const records = recordsOf(text.replace(/^\uFEFF/, ''));
  if (typeof records === 'number') {
    return { kind: 'malformed', line: records, reason: 'a quotation mark is not closed' };
  }
  const [head, ...rest] = records.filter(({ fields }) => fields.some((field) => field !== ''));
  if (head === undefined) return { kind: 'malformed', line: 1, reason: 'the report is empty' };
  const columns = head.fields.map((name) => name.trim());
  const index = new Map(columns.map((name, at) => [name.toLowerCase(), at]));
  const short = rest.find(({ fields }) => fields.length !== columns.length);
  if (short !== undefined) {
    return {
      kind: 'malformed',
      line: short.line,
      reason: 'the row has not as many fields as names',
    };
  }
  const rows = rest.map(({ line, fields }) => ({
    line,
    fields,
    get: (column: string) => fields[index.get(column.toLowerCase()) ?? -1]?.trim() || undefined,
  }));
  return { kind: 'rows', columns, rows };
}

interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The number of the line whose quotation mark is not closed, where one is not. */
function recordsOf(text: string): readonly CsvRecord[] | number {
  const records: CsvRecord[] = [];
  let line = 1;
  let startedAt = 1;
  let fields: string[] = [];
  const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/y;
  while (pattern.lastIndex <= text.length) {
    const match = pattern.exec(text);
    if (match === null) return line;
    const [whole, field = '', end = ''] = match;
    fields.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',') continue;
    records.push({ line: startedAt, fields });
    fields = [];
    startedAt = line;
    if (end === '') break;
  }
  return records;
}
