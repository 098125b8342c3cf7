import { convertIndexedToRgb, decode, encode } from 'fast-png';

/** Pixels row by row, each as 0xrrggbb; nothing of a page is transparent. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly colours: Uint32Array;
}

export function readPng(png: Uint8Array): Picture {
  const decoded = decode(png);
  const { width, height, palette } = decoded;
  const channels = palette === undefined ? decoded.channels : 3;
  const data = palette === undefined ? decoded.data : convertIndexedToRgb(decoded);
  const colours = new Uint32Array(width * height);
  for (let pixel = 0, at = 0; pixel < colours.length; pixel += 1, at += channels) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    colours[pixel] = (red << 16) | (green << 8) | blue;
  }
  return { width, height, colours };
}

/** In all its colours, as what a page looks like now is left for people to see. */
export function writePng({ width, height, colours }: Picture): Uint8Array {
  const data = Uint8Array.from({ length: colours.length * 3 }, (_, index) =>
    part(colours[Math.floor(index / 3)] ?? 0, index % 3),
  );
  return encode({ width, height, data, channels: 3, depth: 8 });
}

/** How many pixels each colour has. Most are those of the pixel before, so runs are counted. */
export function countColours({ colours }: Picture): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0, from = 0; at < colours.length; from = at) {
    const colour = colours[from] ?? 0;
    while (at < colours.length && colours[at] === colour) at += 1;
    counts.set(colour, (counts.get(colour) ?? 0) + at - from);
  }
  return counts;
}

/** The most that red, green or blue of two colours are apart, of 255. */
export function distance(one: number, other: number): number {
  return Math.max(
    Math.abs((one >> 16) - (other >> 16)),
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)),
    Math.abs((one & 255) - (other & 255)),
  );
}

/** Its red, green and blue. */
export function partsOf(colour: number): number[] {
  return [0, 1, 2].map((index) => part(colour, index));
}

function part(colour: number, index: number): number {
  return (colour >> (16 - 8 * index)) & 255;
}
