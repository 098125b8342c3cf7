import type { Cli, ShowOptions } from './cli.ts';

/** Writes what the operator API draws at this path into a file, and says so. */
export async function savePdf(
  cli: Cli,
  input: { readonly path: string; readonly file: string; readonly options: ShowOptions },
): Promise<void> {
  const { path, file, options } = input;
  const client = await cli.open();
  const bytes = await client.download(path, 'application/pdf');
  await cli.writeFile(file, bytes);
  cli.show(options, { file, bytes: bytes.length }, () => `Written to ${file}.`);
}
