import { open } from 'node:fs/promises';

/** Writes a file and waits until the disk has it; its name is only safe after `syncFolder`. */
export async function writeSynced(
  path: string,
  text: string,
  { flag, mode }: { readonly flag: 'w' | 'wx'; readonly mode: number },
): Promise<void> {
  const file = await open(path, flag, mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes new names in a folder survive a power failure. Windows opens no folders; it need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
