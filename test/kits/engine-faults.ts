import { expect } from 'vitest';
import type { SandboxCharge } from '../../src/psp/sandbox/server/charge.ts';
import type { Database } from '../../src/store/database.ts';
import { checkEverything } from './check-everything.ts';

export const sandboxApiKey = 'sandbox_key';

/** That the record keeps every promise and agrees with the PSP's, and that nothing failed. */
export async function expectSound(world: {
  readonly failures: readonly unknown[];
  faults(): Promise<readonly string[]>;
}): Promise<void> {
  expect(world.failures).toEqual([]);
  expect(await world.faults()).toEqual([]);
}

/** Every charge that a sandbox PSP holds, oldest first. */
export async function readLedger(url: string, invoice?: string): Promise<readonly SandboxCharge[]> {
  const charges: SandboxCharge[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const query = new URLSearchParams({ limit: '200', ...(cursor && { cursor }) });
    const answer = await fetch(`${url}/v1/charges?${query}`, {
      headers: { authorization: `Bearer ${sandboxApiKey}` },
    });
    const page = (await answer.json()) as {
      data: SandboxCharge[];
      has_more: boolean;
      next_cursor?: string;
    };
    charges.push(...page.data);
    cursor = page.next_cursor;
    more = page.has_more;
  }
  return charges.filter((charge) => invoice === undefined || charge.invoice === invoice);
}

/** The engine's promises, counted in the database, and its record held against the PSP's. */
export async function findFaults(
  db: Database,
  ledger: () => Promise<readonly SandboxCharge[]>,
): Promise<readonly string[]> {
  const views = await checkEverything(db, new Date(Date.UTC(2100, 0)));
  const faults = views
    .filter((view) => view.breaches > 0)
    .map((view) => `${view.name}: ${view.breaches} breaches`);
  const { rows } = await db.pool.query<{ key: string; state: string; id: string | null }>(
    // A key may have been found never made and sent again: the row that stands for it comes last.
    `select idempotency_key as key, state, psp_transaction_id as id from psp_transactions
     order by state <> 'not_made'`,
  );
  const own = new Map(rows.map((row) => [row.key, row]));
  const open = ['sending', 'unknown'];
  const paid = new Set<string>();
  const charges = await ledger();
  for (const charge of charges) {
    const row = own.get(charge.idempotency_key);
    own.delete(charge.idempotency_key);
    const invoice = `${charge.merchant} ${charge.invoice}`;
    if (charge.status === 'succeeded' && paid.has(invoice)) faults.push(`${invoice} paid twice`);
    if (charge.status === 'succeeded') paid.add(invoice);
    if (row === undefined) faults.push(`${charge.id} at the PSP is not in our record`);
    else if (!open.includes(row.state) && (row.state !== charge.status || row.id !== charge.id)) {
      faults.push(`${charge.id} is ${charge.status} at the PSP and ${row.state} with us`);
    }
  }
  for (const row of own.values()) {
    if (['succeeded', 'declined'].includes(row.state)) {
      faults.push(`${row.key} is ${row.state} with us and unknown to the PSP`);
    }
  }
  return faults;
}
