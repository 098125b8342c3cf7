import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CliError, exitCodes } from './cli-error.ts';

/**
 * Writes a file that is there once it is complete, and that its owner alone may read. What is there and is no
 * file, such as /dev/null or a pipe, is written into: a file in its place would be met by everybody.
 *
 * @throws CliError where the file cannot be written, and whatever `chunks` throws
 */
export async function saveWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let hasEndedEarly = false;
  async function* whole() {
    try {
      yield* chunks;
    } catch (error) {
      hasEndedEarly = true;
      throw error;
    }
  }
  const isFile = await stat(path).then(
    (there) => there.isFile(),
    () => true,
  );
  const goal = isFile ? await realpath(path).catch(() => path) : path;
  const place = isFile ? `${goal}.part` : goal;
  try {
    // Opened before anything is read: a stream may open its file after what it was to hold has broken off.
    const file = await open(place, 'w', 0o600);
    await pipeline(whole(), file.createWriteStream());
    if (isFile) await rename(place, goal);
  } catch (error) {
    if (isFile) await rm(place, { force: true });
    if (hasEndedEarly) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(exitCodes.usage, `The file ${path} cannot be written${code}.`);
  }
}
