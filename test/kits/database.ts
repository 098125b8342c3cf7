import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestCluster } from './cluster.global.ts';

export interface TestDatabase {
  readonly connectionString: string;
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
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the test cluster did not start: ${await response.text()}`);
  return (await response.json()) as TestCluster;
}

/** A database of its own for a test file: migrated, empty, in the cluster of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connectionString: cluster, template } = await testCluster();
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes 20 ms where writing the copy to the log takes 200: nothing here is synced.
  await command(cluster, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return {
    connectionString: url.href,
    jobsSchema: 'pgboss',
    drop: () => dropDatabase(cluster, name),
  };
}

/** What autovacuum holds just then, nobody but a superuser may end: it goes with the cluster. */
const notAllowed = '42501';

async function dropDatabase(cluster: string, name: string): Promise<void> {
  try {
    await command(cluster, `drop database ${name} with (force)`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== notAllowed) throw error;
  }
}

async function command(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
