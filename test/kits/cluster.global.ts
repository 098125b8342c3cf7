import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { removeLeftovers, startEmbeddedCluster } from './cluster/embedded-cluster.ts';
import { openGivenCluster } from './cluster/given-cluster.ts';
import { type PreparedFolder, prepareFolder } from './cluster/prepared-folder.ts';
import type { RunningCluster } from './cluster/running-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the run's cluster (`TestCluster` as JSON), which starts when one does. */
    testClusterUrl: string;
    /** The same for the path of a prepared data folder, as text. */
    preparedFolderUrl: string;
  }
}

let asked: Promise<RunningCluster> | undefined;
let prepared: Promise<PreparedFolder> | undefined;
let door: Server | undefined;

/** Before the run's first test: a door to the cluster, so that pure tests start no database. */
export async function setup(project: TestProject): Promise<void> {
  await removeLeftovers();
  door = createServer(({ url }, response) => {
    const answer = url === '/' ? clusterText() : preparedPath();
    answer.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door?.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  project.provide('testClusterUrl', `http://127.0.0.1:${port}/`);
  project.provide('preparedFolderUrl', `http://127.0.0.1:${port}/prepared-folder`);
}

async function clusterText(): Promise<string> {
  asked ??= openCluster(process.env['TEST_DATABASE_URL'] ?? '');
  return JSON.stringify((await asked).cluster);
}

async function preparedPath(): Promise<string> {
  prepared ??= prepareFolder();
  return (await prepared).path;
}

function openCluster(givenUrl: string): Promise<RunningCluster> {
  return givenUrl === '' ? startEmbeddedCluster() : openGivenCluster(givenUrl);
}

/** After the last test, also when tests failed. */
export async function teardown(): Promise<void> {
  door?.closeAllConnections();
  door?.close();
  const running = await asked?.catch(() => undefined);
  await running?.close();
  const folder = await prepared?.catch(() => undefined);
  await folder?.remove();
}
