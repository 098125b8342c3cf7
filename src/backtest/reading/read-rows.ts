import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isObject } from '../../domain/json/is-object.ts';
import { columnNames, detectShape, missingColumns, namesOf, type ShapeName } from './columns.ts';
import { createCsvReader, maxRecordLength, type RecordReader } from './csv-records.ts';
import type { RowValues } from './parse-attempt.ts';

export interface RowSink {
  /** The values of a row, in the order of `columnNames`. */
  row(values: RowValues, shape: ShapeName, line: number): void;
  fault(line: number, reason: string): void;
  /** Bytes read, of so many. */
  progress?(read: number, total: number): void;
}

export interface ReadRowsInput {
  readonly path: string;
  readonly shape: ShapeName | 'auto';
}

export type ReadRowsResult =
  | { readonly kind: 'read'; readonly shape: ShapeName; readonly format: 'csv' | 'ndjson' }
  | { readonly kind: 'no_rows' }
  | {
      readonly kind: 'missing_columns';
      readonly shape: ShapeName;
      readonly missing: readonly string[];
    };

const chunkBytes = 1 << 20;

/** Reads a file of CSV or, where it begins with a brace, of JSON lines, piece by piece. */
export async function readRows(input: ReadRowsInput, sink: RowSink): Promise<ReadRowsResult> {
  const { size } = await stat(input.path);
  const stream = createReadStream(input.path, { encoding: 'utf8', highWaterMark: chunkBytes });
  const state: State = { shape: undefined, missing: [] };
  let reader: RecordReader | undefined;
  let format: 'csv' | 'ndjson' = 'csv';
  let start = '';
  for await (const chunk of stream as AsyncIterable<string>) {
    sink.progress?.(stream.bytesRead, size);
    if (reader !== undefined) {
      reader.push(chunk);
    } else {
      start += chunk;
      // A mark of the byte order is white space to this.
      const text = start.trimStart();
      if (text === '') continue;
      format = text.startsWith('{') ? 'ndjson' : 'csv';
      reader =
        format === 'ndjson' ? jsonReader(input, state, sink) : csvReader(input, state, sink, text);
      // Lines are named by their numbers in the file, so empty ones before the first count.
      const emptyLines = start.slice(0, start.length - text.length).split('\n').length - 1;
      reader.push('\n'.repeat(emptyLines) + text);
    }
    if (state.missing.length > 0) break;
  }
  reader?.end();
  const { shape, missing } = state;
  if (shape === undefined) return { kind: 'no_rows' };
  return missing.length > 0
    ? { kind: 'missing_columns', shape, missing }
    : { kind: 'read', shape, format };
}

interface State {
  shape: ShapeName | undefined;
  missing: readonly string[];
}

/** The first line is the header; it also tells the delimiter: comma, semicolon or tab. */
function csvReader(input: ReadRowsInput, state: State, sink: RowSink, start: string): RecordReader {
  const [firstLine = ''] = start.split('\n', 1);
  const counts = [',', ';', '\t'].map((mark) => [mark, firstLine.split(mark).length] as const);
  const [delimiter] = counts.reduce((max, item) => (item[1] > max[1] ? item : max));
  let places: readonly (readonly number[])[] | undefined;
  let width = 0;
  return createCsvReader(
    {
      record(fields, line) {
        const { shape } = state;
        if (places === undefined || shape === undefined) {
          const header = fields.map((field) => field.trim());
          const chosen = input.shape === 'auto' ? detectShape(header) : input.shape;
          state.shape = chosen;
          state.missing = missingColumns(chosen, header);
          width = header.length;
          places = namesOf(chosen, 'csv').map((names) =>
            names.map((name) => header.indexOf(name)).filter((at) => at >= 0),
          );
          return;
        }
        if (state.missing.length > 0) return;
        if (fields.length !== width) {
          sink.fault(line, `it has ${fields.length} fields, and the header ${width}`);
          return;
        }
        const values = places.map((candidates) => firstGiven(candidates, (at) => fields[at]));
        sink.row(values, shape, line);
      },
      fault: (line, reason) => sink.fault(line, reason),
    },
    delimiter,
  );
}

function firstGiven<Item>(
  candidates: readonly Item[],
  textOf: (item: Item) => string | undefined,
): string | undefined {
  for (const candidate of candidates) {
    const value = textOf(candidate)?.trim();
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

function jsonReader(input: ReadRowsInput, state: State, sink: RowSink): RecordReader {
  let text = '';
  let line = 0;
  let paths: readonly (readonly (readonly string[])[])[] = [];
  const readLine = (json: string): void => {
    line += 1;
    if (json.trim() === '') return;
    const object = json.length > maxRecordLength ? undefined : parseObject(json);
    if (object === undefined) {
      sink.fault(line, 'it is not a JSON object');
      return;
    }
    if (state.shape === undefined) {
      const shape = input.shape === 'auto' ? detectShape(Object.keys(object)) : input.shape;
      state.shape = shape;
      paths = namesOf(shape, 'ndjson').map((names) => names.map((name) => name.split('.')));
    }
    const values = columnNames.map((_, at) =>
      firstGiven(paths[at] ?? [], (path) => textAt(object, path)),
    );
    sink.row(values, state.shape, line);
  };
  const read = (isEnd: boolean): void => {
    let at = 0;
    for (;;) {
      const end = text.indexOf('\n', at);
      if (end < 0) break;
      readLine(text.slice(at, end));
      at = end + 1;
    }
    text = text.slice(at);
    if (isEnd && text !== '') readLine(text);
  };
  return {
    push(piece) {
      text += piece;
      read(false);
    },
    end: () => read(true),
  };
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textAt(
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
): string | undefined {
  let value: unknown = object;
  for (const name of path) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}
