import { encode } from 'fast-png';
import { countColours, distance, type Picture, partsOf } from './picture.ts';

/** What a PNG with a palette has room for: a third of the size of one without. */
const maxColours = 256;
/** A colour of so many pixels is a ground, a bar or a button, and is kept as it is. */
const exactFrom = 300;

/**
 * A PNG with a palette. A page has some two thousand colours, nearly all of them edges of letters: the
 * rarer ones are taken for a near one, the nearer the more room there is (in 8 of 255 it was always found).
 */
export function writeKept(picture: Picture): Uint8Array {
  const counts = [...countColours(picture)].sort(
    ([one, times], [other, others]) => others - times || one - other,
  );
  for (let within = 0; within <= 255; within += 1) {
    const indexes = paletteOf(counts, within);
    if (indexes === undefined) continue;
    const { width, height, colours } = picture;
    const palette: number[][] = [];
    for (const [colour, index] of indexes) palette[index] ??= partsOf(colour);
    const data = Uint8Array.from(colours, (colour) => indexes.get(colour) ?? 0);
    const image = { width, height, data, channels: 1, depth: 8, palette } as const;
    return encode(image, { zlib: { level: 9 } });
  }
  throw new Error('a palette of one colour is within 255 of every other');
}

/** Which place in the palette each colour has; undefined where there is no room. */
function paletteOf(
  counts: readonly (readonly [colour: number, times: number])[],
  within: number,
): ReadonlyMap<number, number> | undefined {
  const places = new Map<number, number>();
  const kept: number[] = [];
  for (const [colour, times] of counts) {
    const near = times >= exactFrom ? -1 : nearest(kept, colour, within);
    if (near === -1 && kept.length === maxColours) return undefined;
    places.set(colour, near === -1 ? kept.push(colour) - 1 : near);
  }
  return places;
}

function nearest(kept: readonly number[], colour: number, within: number): number {
  let [place, least] = [-1, within + 1];
  for (const [index, other] of kept.entries()) {
    const apart = distance(colour, other);
    if (apart < least) [place, least] = [index, apart];
  }
  return place;
}
