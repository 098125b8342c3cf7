import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { withBuildLock } from '../../src/app/dashboard/build-lock.ts';
import { isInMemory, temporaryFolder } from './temporary-folder.ts';

/** Tabs of one site and one context share a process, and with it what is compiled of their scripts. */
const oneForASite = '--renderer-process-limit=1';

/**
 * A headless Chromium that runs without a desktop; the caller closes it. The package's own switches
 * are left out: they put all into one process and turn the browser's protections off, which tests
 * are about. Only its sandbox is off, since it refuses to run as root. `env`: all that it knows of this
 * process's environment, which it otherwise has as it is.
 */
export async function startChromium(
  more: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Browser> {
  return playwright.launch({
    args: ['--no-sandbox', '--disable-gpu', oneForASite, ...(more.args ?? [])],
    executablePath: await unpack(),
    // Playwright has what Chromium's processes share written to files, for machines with little of that memory.
    ...(isInMemory(temporaryFolder()) && { ignoreDefaultArgs: ['--disable-dev-shm-usage'] }),
    headless: true,
    ...(more.env && { env: { ...more.env } }),
  });
}

/**
 * Where Chromium stands, which comes from npm packed. It is unpacked once into a folder of its own,
 * and found there by later runs; of two processes that want it one waits for the other.
 */
async function unpack(): Promise<string> {
  const folder = join(tmpdir(), `recoup-chromium-${process.getuid?.() ?? 0}`);
  await mkdir(folder, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await withBuildLock({ path: join(folder, 'lock') }, () => chromium.executablePath());
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
