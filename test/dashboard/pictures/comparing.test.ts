import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { comparePictures } from '../../kits/pictures/compare-pictures.ts';
import { keptPictures } from '../../kits/pictures/kept-pictures.ts';
import { type Picture, readPng, writePng } from '../../kits/pictures/picture.ts';
import { writeKept } from '../../kits/pictures/write-kept.ts';

const [width, height] = [600, 400];

/** A panel on a ground, with a button and the 600 greys and blues of some letters' edges. */
function drawn(change: (at: { x: number; y: number; colour: number }) => number): Picture {
  const colours = Uint32Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const isPanel = x >= 40 && x < 560 && y >= 40 && y < 360;
    const isButton = x >= 60 && x < 160 && y >= 60 && y < 94;
    const isLetter = y === 200 && x < 600 && isPanel;
    const edge = 0x202020 + (x % 200) * 0x010101 + (x % 3) * 0x000011;
    const colour = isButton ? 0x3a4fd0 : isLetter ? edge : isPanel ? 0xffffff : 0xf5f6fa;
    return change({ x, y, colour });
  });
  return { width, height, colours };
}

const page = drawn(({ colour }) => colour);
const kept = readPng(writeKept(page));

describe('a picture beside the kept one', () => {
  test('is the same, though the kept one has 256 colours at most', () => {
    expect(new Set(page.colours).size).toBeGreaterThan(256);
    expect(new Set(kept.colours).size).toBeLessThanOrEqual(256);
    expect(comparePictures(kept, page).kind).toBe('same');
    expect(readPng(writePng(page))).toEqual(page);
  });

  test.each([
    ['a button 3 of 255 lighter', ({ colour }) => (colour === 0x3a4fd0 ? 0x3d52d3 : colour)],
    ['a ground 3 of 255 darker', ({ colour }) => (colour === 0xf5f6fa ? 0xf2f3f7 : colour)],
    ['a letter', ({ x, y, colour }) => (x > 300 && x < 304 && y > 99 && y < 107 ? 0 : colour)],
    [
      'a panel 4 px larger',
      ({ x, y, colour }) => (y >= 360 && y < 364 && x >= 40 && x < 560 ? 0xffffff : colour),
    ],
  ] as [string, Parameters<typeof drawn>[0]][])('differs by %s', (_, change) => {
    expect(comparePictures(kept, drawn(change)).kind).toBe('differs');
  });

  test('differs by a row that is more or fewer', () => {
    const shorter = { width, height: height - 1, colours: page.colours.slice(width) };
    expect(comparePictures(kept, shorter)).toMatchObject({ kind: 'differs' });
    expect(comparePictures(shorter, page)).toMatchObject({ kind: 'differs' });
  });
});

test('one without a kept picture is refused, and a kept one without a page is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-pictures-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const differences = join(folder, 'differences');
  const pictures = keptPictures({ kept: folder, differences });
  await writeFile(join(folder, 'there.png'), writeKept(page));
  expect(await pictures.judge('there', writePng(page))).toBeUndefined();
  expect(await pictures.judge('new', writePng(page))).toContain('has no kept picture');
  const changed = drawn(({ y, colour }) => (y === 300 ? 0xff0000 : colour));
  expect(await pictures.judge('there', writePng(changed))).toMatch(
    /^there differs from its kept picture in 0\.2500 % .*there\.actual\.png.*there\.difference\.png/,
  );
  await rm(differences, { recursive: true });
  expect(await pictures.stale(['another'])).toEqual(['there.png']);
  expect(await pictures.stale(['there'])).toEqual([]);
});
