import { randomBytes } from 'node:crypto';
import { migrate } from '../../../src/store/migrate.ts';
import { queryOnce } from '../query-once.ts';
import type { RunningCluster } from './running-cluster.ts';
import { databaseOf, databaseUrl, dropDatabase, onEach, setOnEach } from './test-cluster.ts';

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
    await migrate({ connectionString: address, clock });
    await queryOnce(address, `select citus_schema_distribute('${distributedSchema}')`);
    // What the nodes have to know of views.
    await migrate({ connectionString: address, clock });
    const holder = databaseUrl(await holderOf(address), databaseOf(connectionString));
    await letCopy(nodes, template);
    const coordinator = connectionString;
    return { cluster: { ...cluster, connectionString: holder, coordinator, settings }, close };
  } catch (error) {
    await close();
    throw error;
  }
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

/** The node that holds all tables of the distributed schema. */
async function holderOf(address: string): Promise<string> {
  const [found] = await queryOnce(
    address,
    `select nodename as name, nodeport as port
     from pg_dist_shard s join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
     where s.logicalrelid = '${distributedSchema}.merchants'::regclass`,
  );
  return nodeUrl(address, found);
}

function nodeUrl(connectionString: string, node: Record<string, unknown> | undefined): string {
  const url = new URL(connectionString);
  url.hostname = String(node?.name);
  url.port = String(node?.port);
  return url.href;
}

async function joinNodes(nodes: readonly string[], name: string): Promise<void> {
  const databases = nodes.map((node) => databaseUrl(node, name));
  await onEach(databases, 'create extension citus');
  const [coordinator, ...workers] = databases.map((url) => new URL(url));
  if (coordinator === undefined) return;
  const placeOf = ({ hostname, port }: URL) => `'${hostname}', ${port === '' ? 5432 : port}`;
  await queryOnce(coordinator.href, `select citus_set_coordinator_host(${placeOf(coordinator)})`);
  for (const worker of workers) {
    await queryOnce(coordinator.href, `select citus_add_node(${placeOf(worker)})`);
  }
}

/** A template is copied while nobody is in it: Citus's own watcher of each database is, and comes again. */
async function letCopy(nodes: readonly string[], template: string): Promise<void> {
  await onEach(nodes, `alter database ${template} with allow_connections false`);
  await onEach(
    nodes,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`,
  );
}
