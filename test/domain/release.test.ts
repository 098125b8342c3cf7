import { expect, test } from 'vitest';
import { release } from '../../src/domain/release.ts';
import { readText } from '../kits/source-files.ts';

test.each(['package.json', 'package-lock.json'])('the release is that of %s', (path) => {
  expect(JSON.parse(readText(path)).version).toBe(release);
});

test('the changelog has the release with its date, below what is not released', () => {
  const headings = [...readText('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, text]) => text);
  expect(headings[0]).toBe('Unreleased');
  expect(headings[1]).toMatch(
    new RegExp(`^${release.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`),
  );
});

test.each(['recovery', 'disputes', 'operator', 'merchant'])(
  'the document of the %s API is of this release',
  (api) => expect(JSON.parse(readText(`openapi/${api}.json`)).info.version).toBe(release),
);
