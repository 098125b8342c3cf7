/** Where records go, each with the number of its first line, from 1. */
export interface RecordSink {
  record(fields: readonly string[], line: number): void;
  fault(line: number, reason: string): void;
}

/** Takes a file in pieces of any size. */
export interface RecordReader {
  push(text: string): void;
  end(): void;
}

/** Longer records are a quote that was never closed. */
export const maxRecordLength = 65_536;

/**
 * Reads CSV as RFC 4180 has it: fields in double quotes hold delimiters, line breaks and doubled
 * quotes; lines end in CR LF or LF; empty lines are passed over. A quote in the middle of a field is
 * taken as it stands. A record that breaks the rules is reported, and reading goes on at the next
 * line.
 */
export function createCsvReader(sink: RecordSink, delimiter = ','): RecordReader {
  let text = '';
  let line = 1;
  const read = (isEnd: boolean): void => {
    let at = 0;
    while (at < text.length) {
      const parsed = readRecord(text, at, delimiter);
      if (parsed.kind === 'open' && !isEnd && text.length - at <= maxRecordLength) break;
      if (parsed.kind === 'record') {
        if (parsed.fields.length > 1 || parsed.fields[0] !== '') sink.record(parsed.fields, line);
        line += parsed.lines;
        at = parsed.next;
        continue;
      }
      const reason = parsed.kind === 'open' ? 'a quote is not closed' : parsed.reason;
      sink.fault(line, reason);
      line += 1;
      const lineEnd = text.indexOf('\n', at);
      at = lineEnd < 0 ? text.length : lineEnd + 1;
    }
    text = text.slice(at);
  };
  return {
    push(piece) {
      text += piece;
      read(false);
    },
    end() {
      if (text !== '' && !text.endsWith('\n')) text += '\n';
      read(true);
    },
  };
}

type Parsed =
  | {
      readonly kind: 'record';
      readonly fields: readonly string[];
      readonly next: number;
      readonly lines: number;
    }
  /** The text ends inside it. */
  | { readonly kind: 'open' }
  | { readonly kind: 'fault'; readonly reason: string };

function readRecord(text: string, start: number, delimiter: string): Parsed {
  const lineEnd = text.indexOf('\n', start);
  if (lineEnd < 0) return { kind: 'open' };
  const line = text.slice(
    start,
    text[lineEnd - 1] === '\r' && lineEnd > start ? lineEnd - 1 : lineEnd,
  );
  if (!line.includes('"')) {
    return { kind: 'record', fields: line.split(delimiter), next: lineEnd + 1, lines: 1 };
  }
  const fields: string[] = [];
  let at = start;
  let lines = 1;
  for (;;) {
    const field = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter);
    if (field === undefined) return { kind: 'open' };
    lines += field.breaks;
    fields.push(field.value);
    at = field.next;
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    if (text[at] === '\n') return { kind: 'record', fields, next: at + 1, lines };
    if (at >= text.length - 1) return { kind: 'open' };
    return { kind: 'fault', reason: 'a quote is closed before the end of its field' };
  }
}

interface Field {
  readonly value: string;
  /** The place behind it. */
  readonly next: number;
  readonly breaks: number;
}

function quoted(text: string, start: number): Field | undefined {
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return undefined;
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      return { value, next: quote + 1, breaks: value.split('\n').length - 1 };
    }
    value += '"';
    at = quote + 2;
  }
}

function plain(text: string, start: number, delimiter: string): Field | undefined {
  const lineEnd = text.indexOf('\n', start);
  if (lineEnd < 0) return undefined;
  const stop = text.indexOf(delimiter, start);
  const before = text[lineEnd - 1] === '\r' && lineEnd > start ? lineEnd - 1 : lineEnd;
  const next = stop >= 0 && stop < lineEnd ? stop : before;
  return { value: text.slice(start, next), next, breaks: 0 };
}
