import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildDashboard, dashboardFolder } from '../../src/app/dashboard/build-dashboard.ts';

const maxBytes = 250_000;

/** Every script that a page needs: those it names, and all that these import at once. */
async function firstLoad(folder: string): Promise<ReadonlyMap<string, number>> {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const wanted = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
    ([, path]) => path,
  );
  const sizes = new Map<string, number>();
  for (const path of wanted) {
    if (path === undefined || sizes.has(path)) continue;
    const text = await readFile(join(folder, path), 'utf8');
    sizes.set(path, gzipSync(text).length);
    const own = /(?:import|export)[^;'"`(]*from"\.\/([^"]+\.js)"|import"\.\/([^"]+\.js)"/g;
    for (const [, named, bare] of text.matchAll(own)) wanted.push(`assets/${named ?? bare ?? ''}`);
  }
  return sizes;
}

test('the first load has at most 250 kB of compressed script, whatever page is opened', async () => {
  const built = await buildDashboard({ folder: dashboardFolder });
  if (built.kind !== 'ready') throw new Error(built.message);
  const sizes = await firstLoad(built.path);
  expect(sizes.size).toBeGreaterThan(0);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(maxBytes);
  const html = await readFile(join(built.path, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/<style|\bstyle=/);
});
