import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { invariant } from '../../domain/errors.ts';
import { firstDictionary } from './dictionary.ts';

/** Each by the byte that begins what was compressed with it. */
const dictionaries: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.from(firstDictionary)]]);
const newest = 1;

/** A text by the newest dictionary: its number, one byte, and raw deflate (RFC 1951). */
export function compress(text: string): Buffer {
  const dictionary = dictionaryOf(newest);
  const deflated = deflateRawSync(text, { level: 9, memLevel: 9, dictionary });
  return Buffer.concat([Buffer.of(newest), deflated]);
}

/** @throws InvariantError for what `compress` has not made */
export function decompress(compressed: Buffer): string {
  const dictionary = dictionaryOf(compressed[0] ?? 0);
  return inflateRawSync(compressed.subarray(1), { dictionary }).toString();
}

function dictionaryOf(number: number): Buffer {
  const dictionary = dictionaries.get(number);
  invariant(dictionary !== undefined, 'a packed payment says a dictionary that there is');
  return dictionary;
}
