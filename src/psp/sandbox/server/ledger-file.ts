import { constants, write } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { secondMs } from '../../../domain/clock.ts';
import { AppError } from '../../../domain/errors.ts';
import { isObject } from '../../../domain/json/is-object.ts';
import type { SandboxCharge } from './charge.ts';
import type { SandboxRefund } from './refunds.ts';

/** Where a ledger's lines are kept. */
export interface LedgerSink {
  /** Resolves when the line is in the operating system's hands, where a kill cannot reach it. */
  append(line: string): Promise<void>;
  /** Resolves when every line appended so far is; rejects when one could not be written. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps nothing: the ledger lives and dies with the process. */
export const memorySink: LedgerSink = {
  append: () => Promise.resolve(),
  settled: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Opens the ledger in `folder`, made when missing, and reads what it holds. A last line that was
 * torn by a kill was never answered for: it is cut off. Any other bad line is refused, since a
 * ledger with a hole proves nothing.
 *
 * @throws AppError data_dir_unusable
 */
export async function openLedgerFile(
  folder: string,
  write: Write = writeSome,
): Promise<{ charges: readonly SandboxCharge[]; sink: LedgerSink }> {
  const { lines, sink } = await openLines(join(folder, 'charges.ndjson'), chargeOf, write);
  return { charges: lines, sink };
}

/**
 * The same of refunds, beside the charges.
 *
 * @throws AppError data_dir_unusable
 */
export async function openRefundsFile(
  folder: string,
): Promise<{ refunds: readonly SandboxRefund[]; sink: LedgerSink }> {
  const { lines, sink } = await openLines(join(folder, 'refunds.ndjson'), refundOf, writeSome);
  return { refunds: lines, sink };
}

async function openLines<Line>(
  path: string,
  lineOf: (value: unknown) => Line | undefined,
  write: Write,
): Promise<{ readonly lines: readonly Line[]; readonly sink: LedgerSink }> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    try {
      const lines = await readLines(file, path, lineOf);
      return { lines, sink: fileSink(file, write) };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('data_dir_unusable', `The sandbox's ledger ${path} cannot be opened.`, {
      cause: error,
    });
  }
}

async function readLines<Line>(
  file: FileHandle,
  path: string,
  lineOf: (value: unknown) => Line | undefined,
): Promise<readonly Line[]> {
  const bytes = await file.readFile();
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) await file.truncate(end);
  const lines = bytes.toString('utf8', 0, end).split('\n');
  lines.pop();
  return lines.map((line, index) => {
    const read = lineOf(jsonOf(line));
    if (read !== undefined) return read;
    throw new AppError('data_dir_unusable', `Line ${index + 1} of ${path} is not of the ledger.`);
  });
}

function chargeOf(value: unknown): SandboxCharge | undefined {
  const names = ['id', 'merchant', 'invoice', 'idempotency_key'];
  return hasTexts(value, names) ? (value as unknown as SandboxCharge) : undefined;
}

function refundOf(value: unknown): SandboxRefund | undefined {
  const isRefund = hasTexts(value, ['id', 'charge', 'idempotency_key']);
  return isRefund && Number.isInteger(value.amount)
    ? (value as unknown as SandboxRefund)
    : undefined;
}

function hasTexts(
  value: unknown,
  names: readonly string[],
): value is Readonly<Record<string, unknown>> {
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Appends in groups: the first line of a turn of the event loop starts a write at the turn's end,
 * and what comes while a write is under way goes with the next one. On a full disk they wait for room.
 * After a write that failed otherwise nothing is accepted any more, because the end of the file is then
 * unknown; a restart reads what is there.
 */
function fileSink(file: FileHandle, write: Write): LedgerSink {
  const closing = new AbortController();
  let waiting: string[] = [];
  let group = Promise.withResolvers<void>();
  let writing: Promise<void> = Promise.resolve();
  let failure: Error | undefined;

  const flush = async () => {
    const lines = waiting;
    const current = group;
    waiting = [];
    group = Promise.withResolvers<void>();
    try {
      if (failure !== undefined) throw failure;
      await writeAll({ write, signal: closing.signal }, file.fd, Buffer.from(lines.join('')));
      current.resolve();
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error('the write failed');
      current.reject(failure);
    }
  };
  return {
    append(line) {
      if (waiting.push(line) === 1) {
        const before = writing;
        writing = group.promise;
        // A failed group is reported to those who wait for it; alone it must not end the process.
        writing.catch(() => undefined);
        before.catch(() => undefined).then(() => setImmediate(flush));
      }
      return group.promise;
    },
    settled: () => writing,
    async close() {
      closing.abort();
      await writing.catch(() => undefined);
      await file.close();
    },
  };
}

/** Writes some of the bytes, and gives how many. */
type Write = (fd: number, bytes: Buffer) => Promise<number>;

/** Between two tries on a full disk. */
const roomAgainMs = secondMs;
/** Of a write that these end nothing was written. */
const noRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

async function writeAll(
  { write: writeOne, signal }: { readonly write: Write; readonly signal: AbortSignal },
  fd: number,
  bytes: Buffer,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += await writeOne(fd, bytes.subarray(at));
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && noRoom.includes(error.code);
      if (!isFull || signal.aborted) throw error;
      await rest(roomAgainMs, signal);
    }
  }
}

/** A while, or until it is given up. */
function rest(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
  });
}

function writeSome(fd: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, (error, written) => (error === null ? resolve(written) : reject(error)));
  });
}
