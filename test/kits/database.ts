import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { askDoor } from './cluster/ask-door.ts';
import {
  bySocket,
  copyTemplate,
  databaseOf,
  databaseUrl,
  dropDatabase,
  type TestCluster,
} from './cluster/test-cluster.ts';

export interface TestDatabase {
  readonly connectionString: string;
  /** The same by a socket file, where there is one: for a pool that many statements go through. */
  readonly nearString: string;
  /** Where its schema is changed: of Citus its coordinator, else the same. */
  readonly schemaString: string;
  /** Where its job queue is to make its tables. */
  readonly jobsSchema: string;
  /** Ends its connections and removes it. */
  drop(): Promise<void>;
}

let asked: Promise<TestCluster> | undefined;

/** The run's cluster: the first test of the run that asks for it has it started. */
export function testCluster(): Promise<TestCluster> {
  asked ??= askForCluster(inject('testClusterUrl'));
  return asked;
}

async function askForCluster(url: string): Promise<TestCluster> {
  return JSON.parse(await askDoor(url)) as TestCluster;
}

/** A database of its own for a test file: migrated, empty, in the cluster of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = await testCluster();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await copyTemplate(cluster, name);
  const { sockets } = cluster;
  const connectionString = databaseUrl(cluster.connectionString, name);
  return {
    connectionString,
    nearString: sockets === undefined ? connectionString : bySocket(connectionString, sockets),
    schemaString: databaseUrl(cluster.coordinator ?? cluster.connectionString, name),
    jobsSchema: 'pgboss',
    drop: () => dropWhereAllowed(cluster, name),
  };
}

/** Where the schema of a test's database is changed. */
export async function schemaStringOf(connectionString: string): Promise<string> {
  const { coordinator } = await testCluster();
  if (coordinator === undefined) return connectionString;
  return databaseUrl(coordinator, databaseOf(connectionString));
}

const notAllowed = '42501';

/** Removes a test's database. What autovacuum holds just then, nobody but a superuser may end: it goes with the cluster. */
export async function dropWhereAllowed({ nodes }: TestCluster, name: string): Promise<void> {
  try {
    await dropDatabase(nodes, name);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== notAllowed) throw error;
  }
}
