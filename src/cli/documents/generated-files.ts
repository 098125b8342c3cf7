import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { disputesOpenApi } from '../../http/disputes/disputes-open-api.ts';
import { operatorOpenApi } from '../../http/operator/operator-open-api.ts';
import { recoveryOpenApi } from '../../http/recovery/recovery-open-api.ts';
import { merchantOpenApi } from '../../merchant/open-api/merchant-open-api.ts';
import { renderSettingsDoc } from '../../settings-doc.ts';
import { renderSdkClient } from '../sdk-client/sdk-client.ts';
import { renderCliDoc } from './cli-doc.ts';
import { renderDeclinesDoc } from './declines-doc.ts';
import { renderErrorsDoc } from './errors-doc.ts';
import { renderNetworkRulesDoc } from './network-rules-doc.ts';
import { renderSimulatorDoc } from './simulator-doc.ts';

/** A file that is written from the code, so that it cannot say anything else. */
export interface GeneratedFile {
  /** From the folder of the package. */
  readonly path: string;
  render(): string | Promise<string>;
}

export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'docs/settings.md', render: renderSettingsDoc },
  { path: 'docs/cli.md', render: renderCliDoc },
  { path: 'docs/errors.md', render: renderErrorsDoc },
  { path: 'docs/declines.md', render: renderDeclinesDoc },
  { path: 'docs/network-rules.md', render: renderNetworkRulesDoc },
  { path: 'docs/simulator.md', render: renderSimulatorDoc },
  { path: 'openapi/recovery.json', render: async () => jsonText(await recoveryOpenApi()) },
  { path: 'openapi/disputes.json', render: async () => jsonText(await disputesOpenApi()) },
  { path: 'openapi/merchant.json', render: () => jsonText(merchantOpenApi()) },
  { path: 'openapi/operator.json', render: async () => jsonText(await operatorOpenApi()) },
  {
    path: 'sdk/src/client/generated/recovery.ts',
    render: async () => renderSdkClient('recovery', await recoveryOpenApi()),
  },
  {
    path: 'sdk/src/client/generated/disputes.ts',
    render: async () => renderSdkClient('disputes', await disputesOpenApi()),
  },
];

/** Writes the files that are not what they should be, and gives their paths. */
export async function writeStale(folder: string): Promise<readonly string[]> {
  const stale = await findStale(folder);
  for (const { path, text } of stale) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return stale.map(({ path }) => path);
}

/** The files that are missing or not what they should be, with what they should be. */
export async function findStale(
  folder: string,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const { path, render } of generatedFiles) {
    const text = await render();
    if (text !== (await readIfThere(join(folder, path)))) found.push({ path, text });
  }
  return found;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    // A checkout on Windows may have changed the ends of lines.
    return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function jsonText(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
