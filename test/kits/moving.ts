import { onTestFinished } from 'vitest';
import type { DatabaseAddress } from '../../src/store/cell.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { connectToCell } from '../../src/store/moving/cell-connection.ts';
import { clearMoved, takeBackMove } from '../../src/store/moving/end-move.ts';
import { raiseFence } from '../../src/store/moving/fence.ts';
import { type MoveStep, moveMerchant } from '../../src/store/moving/move-merchant.ts';
import type { Tally } from '../../src/store/moving/verify-rows.ts';
import { type KeyProvider, localKeyProvider } from '../../src/store/sealing/key-provider.ts';
import { makeCellOnNode } from './cluster/given-cluster.ts';
import type { TestCluster } from './cluster/test-cluster.ts';
import { createTestDatabase, schemaStringOf, testCluster } from './database.ts';
import { random } from './engine.ts';

/** What a move is cut off by, as a kill would. */
export class CutOff extends Error {}

export const steps: readonly MoveStep[] = [
  'begun',
  'copied_ahead',
  'drained',
  'closed',
  'fenced',
  'copied',
  'switched',
  'moved',
];

export const sourceKeys = localKeyProvider({ random }, Buffer.alloc(32, 1));
export const targetKeys = localKeyProvider({ random }, Buffer.alloc(32, 2));

/** A cell of its own beside what is in a test's database. Of Citus's nodes, the same has it or another one. */
export async function makeCell(
  connectionString: string,
  schema: string,
  node: 'same' | 'other' = 'other',
): Promise<DatabaseAddress> {
  const cluster = await testCluster();
  const address = { connectionString: await schemaStringOf(connectionString), schema };
  if (cluster.coordinator !== undefined) return makeCellOnNode(address, nodeOf(cluster, node));
  await migrate({ ...address, clock: { now: () => new Date() } });
  return address;
}

function nodeOf({ connectionString, nodes }: TestCluster, node: 'same' | 'other'): string {
  const here = new URL(connectionString).host;
  const other = nodes.slice(1).find((one) => new URL(one).host !== here);
  return node === 'same' || other === undefined ? connectionString : other;
}

/** A database of the test's own with two cells in it, and the way of a merchant from one to the other. */
export async function twoCellsInOne(
  merchantId: string,
): Promise<{ readonly here: Database; readonly there: Database; readonly way: Way }> {
  const database = await createTestDatabase();
  const { connectionString } = database;
  const to = await makeCell(connectionString, 'cell_2', 'same');
  const log = { warn() {} };
  const here = openDatabase({ log }, { connectionString, poolSize: 4 });
  const there = openDatabase({ log }, { ...to, poolSize: 4 });
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });
  return { here, there, way: { from: { connectionString }, to, merchantId } };
}

interface Way {
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
  readonly merchantId: string;
}

interface Moving {
  /** Cut off once this step is done. */
  readonly until?: MoveStep;
  readonly reached?: (step: MoveStep) => void | Promise<void>;
  readonly drainTimeoutMs?: number;
  /** What the settings of either cell have as its keys. */
  readonly ours?: KeyProvider;
  readonly theirs?: KeyProvider;
}

/** One run of the command, by connections of its own. */
export function move(way: Way, moving: Moving = {}): Promise<readonly Tally[]> {
  const { ours = sourceKeys, theirs = targetKeys } = moving;
  return between(way, (ends) =>
    moveMerchant(
      {
        ...ends,
        keys: { keyId: theirs.keyId, wrap: theirs.wrap, unwrap: ours.unwrap },
        theirs,
        random,
        async reached(step) {
          await moving.reached?.(step);
          if (step === moving.until) throw new CutOff(step);
        },
      },
      {
        merchantId: way.merchantId,
        recoveryUrl: 'http://127.0.0.1:1',
        disputesUrl: 'http://127.0.0.1:2',
        drainTimeoutMs: moving.drainTimeoutMs ?? 1_000,
        // No process of these cells has to hear of it.
        noticeMs: 0,
      },
    ),
  );
}

export function takeBack(way: Way): Promise<void> {
  return between(way, (ends) => takeBackMove(ends, way));
}

export function clear(way: Way): Promise<number> {
  return between(way, (ends) => clearMoved(ends, way));
}

/** For a database that further tests have: nothing is left of moves from it or to it. */
export async function forgetMoves(address: DatabaseAddress): Promise<void> {
  const cell = await connectToCell(address);
  for (const table of ['merchant_moves', 'merchant_arrivals', 'service_keys']) {
    await cell.client.query(`delete from ${table}`);
  }
  await raiseFence(cell, {});
  await cell.close();
}

async function between<T>(
  { from, to }: Way,
  work: (ends: {
    readonly source: Awaited<ReturnType<typeof connectToCell>>;
    readonly target: Awaited<ReturnType<typeof connectToCell>>;
  }) => Promise<T>,
): Promise<T> {
  const source = await connectToCell(from);
  const target = await connectToCell(to);
  const close = async () => {
    await Promise.all([source.close(), target.close()]);
  };
  onTestFinished(() => close().catch(() => undefined));
  try {
    return await work({ source, target });
  } finally {
    await close();
  }
}
