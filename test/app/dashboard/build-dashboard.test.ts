import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildDashboard, findBuild } from '../../../src/app/dashboard/build-dashboard.ts';
import { startDashboard } from '../../../src/app/dashboard/start-dashboard.ts';

const base = await mkdtemp(join(tmpdir(), 'recoup-build-'));
let folder = '';
let count = 0;

/** A dashboard of one line of script. */
beforeEach(async () => {
  count += 1;
  folder = join(base, String(count));
  await mkdir(join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<script type="module" src="/src/a.js"></script>');
  await writeFile(join(folder, 'vite.config.ts'), 'export default { build: { minify: false } };');
  await writeFile(join(folder, 'src', 'a.js'), 'document.title = "one";');
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

test('builds once for the same sources, and anew when one changes', async () => {
  expect(await findBuild(folder)).toBeUndefined();
  const [first, beside] = await Promise.all([
    buildDashboard({ folder }),
    buildDashboard({ folder }),
  ]);
  expect(first.kind).toBe('ready');
  expect(beside).toEqual(first);
  await writeFile(join(folder, 'src', 'a.js'), 'document.title = "two";');
  expect(await findBuild(folder)).toBeUndefined();
  const second = await buildDashboard({ folder });
  expect(second).not.toEqual(first);
  expect(await readdir(join(folder, 'dist'))).toHaveLength(1);
});

test('takes over the lock of a process that died', async () => {
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist', 'lock'), '999999999');
  expect((await buildDashboard({ folder })).kind).toBe('ready');
});

test('serves the files once they are built, and says what a failed build said', async () => {
  const log = { info: () => {}, error: () => {} };
  const dashboard = startDashboard({ log }, folder);
  expect(dashboard.state().kind).toBe('building');
  await dashboard.built;
  const state = dashboard.state();
  expect(state.kind === 'ready' && [...state.files.keys()].sort()).toEqual([
    expect.stringMatching(/^assets\/index-.+\.js$/),
    'index.html',
  ]);
  await writeFile(join(folder, 'src', 'a.js'), 'import "./not-there.js";');
  const broken = startDashboard({ log }, folder);
  await broken.built;
  expect(broken.state()).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('not-there'),
  });
});
