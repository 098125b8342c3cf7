import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const gibibyte = 2 ** 30;
/** A run has some hundred megabytes there at a time; the rest is for the tests and the machine. */
const roomBytes = 2 * gibibyte;
const freeBytes = 4 * gibibyte;

/**
 * Where databases of tests stand: in memory, where the machine has such a folder and room enough, else
 * in the folder for temporary files. A database is a thousand files, and those of a run come and go
 * by the hundred: ext4 looks at each inode that was freed in the last minutes before it gives one out, so there
 * the copy of a database takes a second of a processor, here thirty milliseconds.
 */
export function temporaryFolder(): string {
  if (process.env.TMPDIR !== undefined || process.availableMemory() < freeBytes) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize < roomBytes ? tmpdir() : memory;
  } catch {
    return tmpdir();
  }
}

/** Whether this is the folder in memory, so that there is room in it. */
export function isInMemory(folder: string): boolean {
  return folder === memory;
}

/** Both, whichever a run before this one had. */
export function temporaryFolders(): readonly string[] {
  return [...new Set([tmpdir(), temporaryFolder()])];
}
