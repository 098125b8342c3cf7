import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { disputesOpenApi } from '../../http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../http/recovery/recovery-open-api.ts';
import { merchantOpenApi } from '../../merchant/open-api/merchant-open-api.ts';
import { operatorOpenApi } from '../../operator/operator-open-api.ts';
import { renderSettingsDoc } from '../../settings-doc.ts';
import { renderDashboardTypes } from '../sdk-client/dashboard-types.ts';
import { renderPspNames } from '../sdk-client/psp-names.ts';
import { renderSdkClient } from '../sdk-client/sdk-client.ts';
import { renderAlertsDoc } from './alerts-doc.ts';
import { renderCliDoc } from './cli-doc.ts';
import { renderDeclinesDoc } from './declines-doc.ts';
import { renderErrorsDoc } from './errors-doc.ts';
import { renderNetworkRulesDoc } from './network-rules-doc.ts';
import { renderSimulatorDoc } from './simulator-doc.ts';

/** A file that is written from the code, so that it cannot say anything else. */
export interface GeneratedFile {
  /** From the folder of the package. */
  readonly path: string;
  readonly text: string;
}

const sdkFolder = 'sdk/src/client/generated';
const dashboardFolder = 'dashboard/src/api/generated';
/** Folders in which nothing else is. */
const generatedFolders: readonly string[] = [sdkFolder, dashboardFolder];

export async function renderGeneratedFiles(): Promise<readonly GeneratedFile[]> {
  const recovery = await recoveryOpenApi();
  const disputes = await disputesOpenApi();
  const operator = await operatorOpenApi();
  const clients = [
    ...renderSdkClient('recovery', recovery),
    ...renderSdkClient('disputes', disputes),
  ];
  return [
    { path: 'docs/settings.md', text: renderSettingsDoc() },
    { path: 'docs/cli.md', text: renderCliDoc() },
    { path: 'docs/alerts.md', text: renderAlertsDoc() },
    { path: 'docs/errors.md', text: renderErrorsDoc() },
    { path: 'docs/declines.md', text: renderDeclinesDoc() },
    { path: 'docs/network-rules.md', text: renderNetworkRulesDoc() },
    { path: 'docs/simulator.md', text: renderSimulatorDoc() },
    { path: 'openapi/recovery.json', text: jsonText(recovery) },
    { path: 'openapi/disputes.json', text: jsonText(disputes) },
    { path: 'openapi/merchant.json', text: jsonText(merchantOpenApi()) },
    { path: 'openapi/operator.json', text: jsonText(operator) },
    ...clients.map(({ path, text }) => ({ path: `${sdkFolder}/${path}`, text })),
    ...[...renderDashboardTypes(operator), renderPspNames()].map(({ path, text }) => ({
      path: `${dashboardFolder}/${path}`,
      text,
    })),
  ];
}

/** Writes what is not as it should be, removes what should not be there, and gives the paths. */
export async function writeStale(folder: string): Promise<readonly string[]> {
  const stale = await findStale(folder);
  for (const { path, text } of stale) {
    const file = join(folder, path);
    if (text === undefined) {
      await rm(file);
      continue;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return stale.map(({ path }) => path);
}

/** A file that is missing, or not what it should be; without `text` it should not be there. */
export interface StaleFile {
  readonly path: string;
  readonly text: string | undefined;
}

export async function findStale(folder: string): Promise<readonly StaleFile[]> {
  const files = await renderGeneratedFiles();
  const found: StaleFile[] = [];
  for (const { path, text } of files) {
    const present = await readIfThere(readFile(join(folder, path), 'utf8'));
    // A checkout on Windows may have changed the ends of lines.
    if (text !== present?.replaceAll('\r\n', '\n')) found.push({ path, text });
  }
  const wanted = new Set(files.map(({ path }) => path));
  for (const path of await filesIn(folder, generatedFolders)) {
    if (!wanted.has(path)) found.push({ path, text: undefined });
  }
  return found;
}

async function filesIn(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const entries = await readIfThere(readdir(join(root, folder), { recursive: true }));
    const paths = (entries ?? []).map((entry) => `${folder}/${entry.replaceAll('\\', '/')}`);
    found.push(...paths.filter((path) => path.endsWith('.ts')));
  }
  return found.sort();
}

/** What was read, or undefined where there is nothing to read. */
async function readIfThere<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function jsonText(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
