import { countColours, distance, type Picture } from './picture.ts';

/**
 * Two machines' processors may differ by one or two of 255 along an edge, one machine's two runs too.
 * A ground has to have its very colour; edges may be off by what a kept picture's palette took away
 * (8 of 255 at most) and by that.
 */
const groundWithin = 2;
const edgeWithin = 12;
/** A colour of so many pixels is no edge: more than `write-kept.ts` keeps exactly. */
const groundFrom = 400;

/** The share of pixels that may differ all the same; a letter that changed is more. */
export const allowedShare = 0.00001;

export type Comparison =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'differs';
      /** Of the larger picture's pixels. */
      readonly share: number;
      /** Red where they differ, the kept one pale elsewhere. */
      readonly difference: Picture;
    };

/** What is outside of the smaller one differs. */
export function comparePictures(kept: Picture, actual: Picture): Comparison {
  const counts = countColours(actual);
  const width = Math.max(kept.width, actual.width);
  const height = Math.max(kept.height, actual.height);
  const colours = new Uint32Array(width * height);
  let differing = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [was, is] = [colourAt(kept, x, y), colourAt(actual, x, y)];
      const isSame = was !== undefined && is !== undefined && isNear(was, is, counts);
      if (!isSame) differing += 1;
      colours[y * width + x] = isSame ? pale(was) : red;
    }
  }
  const share = differing / colours.length;
  if (share <= allowedShare) return { kind: 'same' };
  return { kind: 'differs', share, difference: { width, height, colours } };
}

function isNear(was: number, is: number, counts: ReadonlyMap<number, number>): boolean {
  if (was === is) return true;
  const within = (counts.get(is) ?? 0) >= groundFrom ? groundWithin : edgeWithin;
  return distance(was, is) <= within;
}

function colourAt({ width, height, colours }: Picture, x: number, y: number): number | undefined {
  return x < width && y < height ? colours[y * width + x] : undefined;
}

const red = 0xd00000;

function pale(colour: number): number {
  const grey = ((colour >> 16) + ((colour >> 8) & 255) + (colour & 255)) / 3;
  const light = Math.round(200 + grey * 0.2);
  return (light << 16) | (light << 8) | light;
}
