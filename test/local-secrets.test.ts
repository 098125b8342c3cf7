import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../src/domain/errors.ts';
import { operatorTokenPath, readLocalSecrets } from '../src/local-secrets.ts';

const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
const absent = { encryptionKey: undefined, operatorToken: undefined };

let root: string;
let dataDir: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'recoup-secrets-'));
  dataDir = join(root, 'data');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function read(given: Partial<typeof absent> = {}) {
  return readLocalSecrets({ random }, { dataDir, ...absent, ...given });
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('readLocalSecrets', () => {
  it('makes both once, for the owner alone, and finds them ever after', async () => {
    const first = await read();
    expect(first.encryptionKey).toMatchObject({ kind: 'local', bytes: { length: 32 } });
    expect(first.operatorToken).toMatch(/^[0-9a-f]{64}$/);
    expect(await read()).toEqual(first);
    expect(await readdir(dataDir)).toEqual(['encryption-key', 'operator-token']);
    expect(await modeOf(join(dataDir, 'encryption-key'))).toBe(0o600);
    expect(await modeOf(operatorTokenPath(dataDir))).toBe(0o600);
    expect(await readFile(operatorTokenPath(dataDir), 'utf8')).toBe(`${first.operatorToken}\n`);
  });

  it('keeps nothing of the ones that are given', async () => {
    const encryptionKey = { kind: 'local', bytes: new Uint8Array(32).fill(5) } as const;
    const given = { encryptionKey, operatorToken: 'a-token-of-the-operator' };
    expect(await readLocalSecrets({ random }, { dataDir, ...given })).toEqual(given);
    await expect(readdir(dataDir)).rejects.toThrow(/ENOENT/);
  });

  it('gives all who start together the same ones', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => read()));
    for (const each of all) expect(each).toEqual(all[0]);
    expect(await readdir(dataDir)).toEqual(['encryption-key', 'operator-token']);
  });

  it('takes a mode that was lost in copying back', async () => {
    await read();
    await chmod(operatorTokenPath(dataDir), 0o644);
    await read();
    expect(await modeOf(operatorTokenPath(dataDir))).toBe(0o600);
  });

  it.each(['', 'short', `${'g'.repeat(64)}\n`])(
    'refuses a damaged key (%j) and does not replace it',
    async (text) => {
      await mkdir(dataDir);
      await writeFile(join(dataDir, 'encryption-key'), text);
      const refusal = await read().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: 'data_dir_unusable' });
      expect((refusal as AppError).message).toContain('encryption-key is damaged');
      if (text !== '') expect((refusal as AppError).message).not.toContain(text.trim());
      expect(await readFile(join(dataDir, 'encryption-key'), 'utf8')).toBe(text);
    },
  );

  it('says which path cannot be used', async () => {
    await writeFile(dataDir, 'a file where the folder should be');
    await expect(read()).rejects.toMatchObject({
      code: 'data_dir_unusable',
      detail: `The file ${join(dataDir, 'encryption-key')} cannot be used (ENOTDIR).`,
    });
  });
});
