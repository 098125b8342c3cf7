import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readText } from './kits/source-files.ts';

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...listFiles('docs', '.md'),
];

/** A heading's anchor, as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...readText(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  );
}

describe('the guides', () => {
  test.each(pages)('%s has no dead link', (page) => {
    const dead: string[] = [];
    for (const [, link = ''] of readText(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : normalize(join(dirname(page), file));
      const isThere = existsSync(target);
      if (!isThere || (anchor !== undefined && !anchorsOf(target).has(anchor))) dead.push(link);
    }
    expect(dead).toEqual([]);
  });

  test.each(['CONTRIBUTING.md', 'docs/adding-a-psp.md'])(
    '%s names files that are there',
    (page) => {
      const named = readText(page).matchAll(/`((?:src|test|dashboard|docs|openapi)\/[^`<*\s]+)`/g);
      const missing = [...named].flatMap(([, path = '']) => (existsSync(path) ? [] : [path]));
      expect(missing).toEqual([]);
    },
  );

  test('the index names every page', () => {
    const index = readText('docs/README.md');
    const missing = listFiles('docs', '.md')
      .map((page) => page.replace(/^docs\//, ''))
      .filter((page) => page !== 'README.md' && !index.includes(`(${page})`));
    expect(missing).toEqual([]);
  });

  test('commands in the guides are those of recoup', () => {
    const known = readText('docs/cli.md');
    for (const page of pages.filter((each) => each !== 'docs/cli.md')) {
      for (const [, words = ''] of readText(page).matchAll(
        /(?:npm run recoup --|`recoup) ([a-z][a-z-]*(?: [a-z][a-z-]+)?)/g,
      )) {
        const [command = ''] = words.split(' ');
        expect(known, `${page}: recoup ${words}`).toContain(`## recoup ${command}\n`);
      }
    }
  });
});
