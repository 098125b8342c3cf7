import { expect, test } from 'vitest';
import { listFiles, readText } from '../kits/source-files.ts';

const files = ['.ts', '.tsx'].flatMap((ending) => listFiles('dashboard/src', ending));

/** Which folder may import which: docs/dashboard.md. A page knows no other page. */
const lower: Readonly<Record<string, readonly string[]>> = {
  api: ['api'],
  state: ['api', 'state'],
  parts: ['api', 'state', 'parts'],
  pages: ['api', 'state', 'parts', 'pages'],
  shell: ['api', 'state', 'parts', 'pages', 'shell'],
};

function importsOf(path: string): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return [...readText(path).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target]) =>
    new URL(target ?? '', `file:///${folder}/`).pathname.slice(1),
  );
}

const partOf = (path: string) => path.split('/')[2] ?? '';
const pageOf = (path: string) => path.split('/')[3] ?? '';

test('parts of the dashboard import what stands below them, and pages no other page', () => {
  const broken = files
    .filter((path) => partOf(path) in lower)
    .flatMap((path) => importsOf(path).map((target) => ({ path, target })))
    .filter(({ path, target }) => {
      if (!lower[partOf(path)]?.includes(partOf(target))) return true;
      const isList = path === 'dashboard/src/pages/pages.ts';
      return partOf(path) === 'pages' && partOf(target) === 'pages' && !isList
        ? pageOf(path) !== pageOf(target)
        : false;
    })
    .map(({ path, target }) => `${path} imports ${target}`);
  expect(broken).toEqual([]);
});

test('files of the dashboard are small, and export by name', () => {
  const max = (path: string) => (path.includes('/generated/') ? 400 : 250);
  const long = files.filter((path) => readText(path).split('\n').length > max(path));
  expect(long).toEqual([]);
  expect(files.filter((path) => /^export default/m.test(readText(path)))).toEqual([]);
});
