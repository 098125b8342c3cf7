import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowedShare, comparePictures } from './compare-pictures.ts';
import { readPng, writePng } from './picture.ts';
import { writeKept } from './write-kept.ts';

/** `npm run pictures`: what differs is written anew, what has no page any more is removed. */
const writes = process.env.KEEP_PICTURES === 'true';
const anew = 'If that is meant, write them anew: npm run pictures.';

/** A folder of pictures, each kept under the name of what it shows. */
export interface KeptPictures {
  /** What is wrong with a picture beside the kept one; undefined: nothing. */
  judge(name: string, png: Uint8Array): Promise<string | undefined>;
  /** Those that are kept under other names. */
  stale(names: readonly string[]): Promise<readonly string[]>;
}

/** @param differences where what a page looks like now is left, and where that differs */
export function keptPictures(folders: {
  readonly kept: string;
  readonly differences: string;
}): KeptPictures {
  const path = (name: string) => join(folders.kept, `${name}.png`);
  return {
    async judge(name, png) {
      const actual = readPng(png);
      const kept = await readFile(path(name)).catch(() => undefined);
      const compared = kept && comparePictures(readPng(kept), actual);
      if (compared?.kind === 'same') return undefined;
      if (writes) {
        await mkdir(folders.kept, { recursive: true });
        await writeFile(path(name), writeKept(actual));
        return undefined;
      }
      await mkdir(folders.differences, { recursive: true });
      const left = (what: string) => join(folders.differences, `${name}.${what}.png`);
      await writeFile(left('actual'), png);
      if (compared === undefined) {
        return `${name} has no kept picture; ${left('actual')} is what it looks like. ${anew}`;
      }
      await writeFile(left('difference'), writePng(compared.difference));
      const [share, allowed] = [compared.share, allowedShare].map(percent);
      return `${name} differs from its kept picture in ${share} of its pixels (at most ${allowed}): ${left('actual')}, ${left('difference')}. ${anew}`;
    },
    async stale(names) {
      const files = (await readdir(folders.kept)).filter(
        (file) => !names.includes(file.replace(/\.png$/, '')),
      );
      if (!writes) return files;
      for (const file of files) await rm(join(folders.kept, file));
      return [];
    },
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(4)} %`;
}
