import type { IncomingMessage } from 'node:http';
import { leaveBody } from '../../bounds/in-turn.ts';

/** One line of a body; its number counts from 1, empty lines too. */
export interface Line {
  readonly row: number;
  /** Absent for one that is longer than is read. */
  readonly bytes?: Uint8Array;
  /** The body goes beyond its limit in this line. */
  readonly isBeyond?: true;
  /** So many lines before it are empty that nothing more is read. */
  readonly isTooBlank?: true;
}

export interface LineLimits {
  /** Of one line. */
  readonly lineBytes: number;
  /** Of the whole body. */
  readonly bodyBytes: number;
  /** Empty ones, in all. */
  readonly blankLines: number;
}

const newline = 0x0a;

/**
 * The lines of a body as they arrive, empty ones left out. It ends where the body does, before the
 * line that goes beyond `bodyBytes` (given as such), or where the sender went away: half a
 * line is then none.
 */
export async function* readLines(body: IncomingMessage, limits: LineLimits): AsyncGenerator<Line> {
  const split = splitter(limits);
  let receivedBytes = 0;
  try {
    const chunks: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      receivedBytes += chunk.length;
      if (receivedBytes > limits.bodyBytes) {
        yield { row: split.row(), isBeyond: true };
        return;
      }
      yield* split.take(chunk);
      if (split.isTooBlank()) {
        yield { row: split.row(), isTooBlank: true };
        return;
      }
    }
    yield* split.end();
  } catch {
    return;
  } finally {
    // Else nothing that the connection sends next would be heard. Once the iterator has let go of the stream.
    setImmediate(() => leaveBody(body));
  }
}

interface Splitter {
  /** The number of the line that is being read. */
  row(): number;
  /** Then nothing more is split. */
  isTooBlank(): boolean;
  take(chunk: Buffer): Generator<Line>;
  end(): Generator<Line>;
}

function splitter({ lineBytes, blankLines }: LineLimits): Splitter {
  let row = 1;
  let blankLinesLeft = blankLines;
  let parts: Buffer[] = [];
  let length = 0;

  function add(part: Buffer): void {
    length += part.length;
    // What is too long is counted and not kept.
    if (length > lineBytes) parts = [];
    else parts.push(part);
  }

  /** Byte by byte: a chunk may be all empty lines, and to look each of them up would hold up everybody. */
  function passBlank(chunk: Buffer, from: number): number {
    let start = from;
    while (length === 0 && blankLinesLeft >= 0) {
      const end = endOfBlank(chunk, start);
      if (end < 0) break;
      row += 1;
      blankLinesLeft -= 1;
      start = end + 1;
    }
    return start;
  }

  function* finish(): Generator<Line> {
    if (length > lineBytes) yield { row };
    else {
      const bytes = Buffer.concat(parts);
      if (isBlank(bytes)) blankLinesLeft -= 1;
      else yield { row, bytes };
    }
    row += 1;
    parts = [];
    length = 0;
  }

  return {
    row: () => row,
    isTooBlank: () => blankLinesLeft < 0,
    *take(chunk) {
      let start = 0;
      for (;;) {
        start = passBlank(chunk, start);
        if (blankLinesLeft < 0) return;
        const end = chunk.indexOf(newline, start);
        if (end < 0) break;
        add(chunk.subarray(start, end));
        yield* finish();
        start = end + 1;
      }
      add(chunk.subarray(start));
    },
    end: finish,
  };
}

/** Where the line ends that begins here, or -1 where it is not empty or not all there. */
function endOfBlank(chunk: Buffer, start: number): number {
  let end = start;
  while (isBlankByte(chunk[end])) end += 1;
  return chunk[end] === newline ? end : -1;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every(isBlankByte);
}

function isBlankByte(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}
