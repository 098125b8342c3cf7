import { chmod, link, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from './domain/errors.ts';
import type { Random } from './domain/random.ts';
import { bearerToken, encryptionKey, type ValueType } from './setting-values.ts';
import { syncFolder, writeSynced } from './store/embedded/system/durable-file.ts';
import type { WrappingKey } from './store/sealing/wrapping-key.ts';

/** The secrets that Recoup makes itself where nobody set them. */
export interface LocalSecrets {
  readonly encryptionKey: WrappingKey;
  readonly operatorToken: string;
}

const keyFile = 'encryption-key';
const tokenFile = 'operator-token';
const secretBytes = 32;
const ownerOnly = 0o600;

/** Where the operator token of a data folder is kept. */
export function operatorTokenPath(dataDir: string): string {
  return join(dataDir, tokenFile);
}

/**
 * The secrets of a data folder, each made on the first call and the same ever after. Those given are
 * used as they are, and nothing is kept of them. Throws AppError data_dir_unusable for a file that
 * cannot be read or written, or that does not hold a secret: it is never replaced, since what was
 * encrypted under it would be lost.
 */
export async function readLocalSecrets(
  deps: { readonly random: Random },
  input: { readonly dataDir: string } & {
    readonly [Key in keyof LocalSecrets]: LocalSecrets[Key] | undefined;
  },
): Promise<LocalSecrets> {
  const { dataDir } = input;
  return {
    encryptionKey: input.encryptionKey ?? (await keep(deps, join(dataDir, keyFile), encryptionKey)),
    operatorToken:
      input.operatorToken ?? (await keep(deps, operatorTokenPath(dataDir), bearerToken)),
  };
}

async function keep<Value>(
  deps: { readonly random: Random },
  path: string,
  type: ValueType<Value>,
): Promise<Value> {
  try {
    const text = (await readSecret(path)) ?? (await makeSecret(deps, path));
    const reading = type.read(text.trim());
    if ('value' in reading) return reading.value;
    throw new AppError(
      'data_dir_unusable',
      `The file ${path} is damaged: it ${reading.fault}. Restore it from a backup.`,
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new AppError('data_dir_unusable', `The file ${path} cannot be used${code}.`, {
      cause: error,
    });
  }
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    // A folder that was copied may have lost the mode.
    if (((await stat(path)).mode & 0o777) !== ownerOnly) await chmod(path, ownerOnly);
    return text;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whole or not at all, and by the first of two that start together. */
async function makeSecret(deps: { readonly random: Random }, path: string): Promise<string> {
  const text = Buffer.from(deps.random.bytes(secretBytes)).toString('hex');
  const unique = Buffer.from(deps.random.bytes(8)).toString('hex');
  const draft = `${path}.${unique}.new`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeSynced(draft, `${text}\n`, { flag: 'wx', mode: ownerOnly });
    await link(draft, path);
    // A key that a power cut takes away would take the merchants' secrets with it.
    await syncFolder(dirname(path));
    return text;
  } catch (error) {
    const kept = isCode(error, 'EEXIST') ? await readSecret(path) : undefined;
    if (kept === undefined) throw error;
    return kept;
  } finally {
    await rm(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
