import { limits } from '../../domain/limits.ts';

/** A path's parameter as an id, or undefined for a text that no id can be: nothing of that name exists. */
export function pathId(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  // Characters, not UTF-16 units, as everywhere that a length is limited.
  return text.length > limits.idLength && [...text].length > limits.idLength ? undefined : text;
}
