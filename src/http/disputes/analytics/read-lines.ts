import type { IncomingMessage } from 'node:http';

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
  /** Empty ones, in all; a few more are read. */
  readonly blankLines: number;
}

const newline = 0x0a;

/**
 * The lines of a body as they arrive, empty ones left out. It ends where the body does, before the
 * line that goes beyond `bodyBytes` (given as such), or where the sender went away: half a
 * line is then none.
 */
export async function* readLines(body: IncomingMessage, limits: LineLimits): AsyncGenerator<Line> {
  const split = splitter(limits.lineBytes);
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
      if (split.blankLines() > limits.blankLines) {
        yield { row: split.row(), isTooBlank: true };
        return;
      }
    }
    yield* split.end();
  } catch {
    return;
  } finally {
    // What is left of a body that was not read to its end is read away: else nothing that the connection sends
    // next would be heard. Once the iterator has let go of the stream.
    setImmediate(() => body.resume());
  }
}

interface Splitter {
  /** The number of the line that is being read. */
  row(): number;
  blankLines(): number;
  take(chunk: Buffer): Generator<Line>;
  end(): Generator<Line>;
}

function splitter(lineBytes: number): Splitter {
  let row = 1;
  let blankLines = 0;
  let parts: Buffer[] = [];
  let length = 0;

  function add(part: Buffer): void {
    length += part.length;
    // What is too long is counted and not kept.
    if (length > lineBytes) parts = [];
    else parts.push(part);
  }

  function* finish(): Generator<Line> {
    if (length > lineBytes) yield { row };
    else {
      const bytes = Buffer.concat(parts);
      if (isBlank(bytes)) blankLines += 1;
      else yield { row, bytes };
    }
    row += 1;
    parts = [];
    length = 0;
  }

  return {
    row: () => row,
    blankLines: () => blankLines,
    *take(chunk) {
      let start = 0;
      let end = chunk.indexOf(newline);
      while (end >= 0) {
        if (start === end && length === 0) {
          row += 1;
          blankLines += 1;
        } else {
          add(chunk.subarray(start, end));
          yield* finish();
        }
        start = end + 1;
        end = chunk.indexOf(newline, start);
      }
      add(chunk.subarray(start));
    },
    end: finish,
  };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
