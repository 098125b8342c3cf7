import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { cardsOf, failedEvent } from './billing-events.ts';
import type { EngineWorld } from './engine.ts';
import { untilLockWaits } from './lock-waits.ts';
import { openTransaction } from './open-transaction.ts';

/**
 * What `work` waits for is held by another transaction, which then takes what comes later in the order and has to
 * be free still: were it not, the two would wait for each other.
 */
export async function waits<T>(
  world: { readonly db: Database; rows(text: string): Promise<readonly unknown[]> },
  order: { readonly first: string; readonly later: string; readonly work: () => Promise<T> },
): Promise<T> {
  await using other = await openTransaction(world.db);
  await other.query({ name: nameOf(order.first), text: order.first }, []);
  const working = order.work();
  const waiting = untilLockWaits((text) => world.rows(text)).then(() => 'waits');
  expect(await Promise.race([waiting, working])).toBe('waits');
  const taken = other
    .query({ name: nameOf(order.later), text: order.later }, [])
    .catch((error) => error);
  expect(await taken).toHaveLength(1);
  await other.commit();
  return working;
}

/** Holds a payment; `how`: ` nowait` fails where it is held. */
export const holdPayment = (invoiceId: string, how = '') =>
  `select 1 from payments where invoice_id = '${invoiceId}' for update${how}`;

/** A world in which these invoices have been reported, each with a card of its own. */
export async function reportEach(
  world: EngineWorld,
  invoices: readonly string[],
): Promise<EngineWorld> {
  for (const invoiceId of invoices) {
    await world.submit(failedEvent({ invoiceId, methods: cardsOf(invoiceId) }));
  }
  return world;
}

/** Each text has its own. */
export const nameOf = (text: string) => createHash('md5').update(text).digest('hex');
