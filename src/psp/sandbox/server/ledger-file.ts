import { constants, write } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../domain/errors.ts';
import type { SandboxCharge } from './charge.ts';

const fileName = 'charges.ndjson';

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
): Promise<{ charges: readonly SandboxCharge[]; sink: LedgerSink }> {
  const path = join(folder, fileName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    try {
      const charges = await readCharges(file, path);
      return { charges, sink: fileSink(file) };
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

async function readCharges(file: FileHandle, path: string): Promise<readonly SandboxCharge[]> {
  const bytes = await file.readFile();
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) await file.truncate(end);
  const lines = bytes.toString('utf8', 0, end).split('\n');
  lines.pop();
  return lines.map((line, index) => {
    const charge = chargeOf(line);
    if (charge !== undefined) return charge;
    throw new AppError('data_dir_unusable', `Line ${index + 1} of ${path} is not a charge.`);
  });
}

function chargeOf(line: string): SandboxCharge | undefined {
  try {
    const charge: Partial<SandboxCharge> | null = JSON.parse(line);
    const isCharge =
      typeof charge?.id === 'string' &&
      typeof charge.merchant === 'string' &&
      typeof charge.invoice === 'string' &&
      typeof charge.idempotency_key === 'string';
    return isCharge ? (charge as SandboxCharge) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Appends in groups: the first line of a turn of the event loop starts a write at the turn's end,
 * and what comes while a write is under way goes with the next one. After a failed write nothing is
 * accepted any more, because the end of the file is then unknown; a restart reads what is there.
 */
function fileSink(file: FileHandle): LedgerSink {
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
      await writeAll(file.fd, Buffer.from(lines.join('')));
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
      await writing.catch(() => undefined);
      await file.close();
    },
  };
}

async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += await writeSome(fd, bytes.subarray(at));
}

function writeSome(fd: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, (error, written) => (error === null ? resolve(written) : reject(error)));
  });
}
