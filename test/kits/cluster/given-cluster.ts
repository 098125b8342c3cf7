import { randomBytes } from 'node:crypto';
import type { DatabaseAddress } from '../../../src/store/cell.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { queryOnce } from '../query-once.ts';
import { makeFirstSchema } from './first-schema.ts';
import type { RunningCluster } from './running-cluster.ts';
import {
  databaseOf,
  databaseUrl,
  dropDatabase,
  letCopy,
  onEach,
  setOnEach,
} from './test-cluster.ts';

/** No schema of that name is anywhere in the sources: a statement that needs another one fails. */
const distributedSchema = 'cell_of_tests';
/** What an operator sets once for each database that has cells: docs/operating.md. */
const citusSettings = { 'citus.enable_unsafe_triggers': 'on' };

/**
 * A server that is there already (`TEST_DATABASE_URL`), by a login that may make databases and roles.
 * Where the database that it names is the coordinator's of a Citus cluster, each test database spreads over
 * the same nodes, all tables of Recoup are in one distributed schema, and tests connect to the node that holds it.
 */
export async function openGivenCluster(connectionString: string): Promise<RunningCluster> {
  const nodes = await nodesOf(connectionString);
  const template = `recoup_template_${randomBytes(6).toString('hex')}`;
  const cluster = { connectionString, nodes, template };
  const close = () => dropDatabase(nodes, template);
  try {
    await onEach(nodes, `create database ${template}`);
    const address = databaseUrl(connectionString, template);
    const clock = { now: () => new Date() };
    if (nodes.length === 1) {
      await migrate({ connectionString: address, clock });
      return { cluster, close };
    }
    const settings = { ...citusSettings, search_path: distributedSchema };
    await joinNodes(nodes, template);
    await setOnEach(nodes, template, settings);
    await queryOnce(address, `create schema ${distributedSchema}`);
    await makeFirstSchema(address);
    await distribute(address, distributedSchema);
    // As a cell that has been on Citus for long, so that every later migration is one of shards.
    await migrate({ connectionString: address, clock });
    const holder = databaseUrl(
      await holderOf(address, distributedSchema),
      databaseOf(connectionString),
    );
    await letCopy(nodes, template);
    const coordinator = connectionString;
    return { cluster: { ...cluster, connectionString: holder, coordinator, settings }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function distribute(address: string, schema: string): Promise<void> {
  await queryOnce(address, `select citus_schema_distribute('${schema}')`);
}

/** A further cell in a database of Citus's coordinator, at a node; its address there. */
export async function makeCellOnNode(
  address: DatabaseAddress & { readonly schema: string },
  node: string,
): Promise<DatabaseAddress> {
  const { connectionString: coordinator, schema } = address;
  const clock = { now: () => new Date() };
  await migrate({ ...address, clock });
  await distribute(coordinator, schema);
  if (new URL(await holderOf(coordinator, schema)).host !== new URL(node).host) {
    // Nobody is in it yet.
    const to = placeOf(new URL(node));
    await queryOnce(coordinator, `select citus_schema_move('${schema}', ${to}, 'block_writes')`);
  }
  await migrate({ ...address, clock });
  return { connectionString: databaseUrl(node, databaseOf(coordinator)), schema };
}

/** Of Citus's nodes, the given one first; of any other server itself. */
async function nodesOf(connectionString: string): Promise<readonly string[]> {
  const citus = `select from pg_extension where extname = 'citus'`;
  if ((await queryOnce(connectionString, citus)).length === 0) return [connectionString];
  const others = await queryOnce(
    connectionString,
    `select nodename as name, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive and groupid <> 0 order by nodeid`,
  );
  return [connectionString, ...others.map((node) => nodeUrl(connectionString, node))];
}

/** The node that holds all tables of a distributed schema. */
async function holderOf(address: string, schema: string): Promise<string> {
  const [found] = await queryOnce(
    address,
    `select nodename as name, nodeport as port
     from pg_dist_shard s join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
     where s.logicalrelid = '${schema}.merchants'::regclass`,
  );
  return nodeUrl(address, found);
}

function nodeUrl(connectionString: string, node: Record<string, unknown> | undefined): string {
  const url = new URL(connectionString);
  url.hostname = String(node?.name);
  url.port = String(node?.port);
  return url.href;
}

/** As functions of Citus take a node. */
function placeOf({ hostname, port }: URL): string {
  return `'${hostname}', ${port === '' ? 5432 : port}`;
}

async function joinNodes(nodes: readonly string[], name: string): Promise<void> {
  const databases = nodes.map((node) => databaseUrl(node, name));
  await onEach(databases, 'create extension citus');
  const [coordinator, ...workers] = databases.map((url) => new URL(url));
  if (coordinator === undefined) return;
  await queryOnce(coordinator.href, `select citus_set_coordinator_host(${placeOf(coordinator)})`);
  for (const worker of workers) {
    await queryOnce(coordinator.href, `select citus_add_node(${placeOf(worker)})`);
  }
}
