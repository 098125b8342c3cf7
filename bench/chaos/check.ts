import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { FaultyWay } from './faulty-way.ts';
import type { Load } from './load.ts';
import type { Meddling } from './meddling.ts';
import type { ChaosMerchant } from './merchant.ts';

/** A charge as the PSP's ledger shows it. */
interface LedgerCharge {
  readonly id: string;
  readonly status: string;
  readonly invoice: string;
  readonly amount: number;
  readonly idempotency_key: string;
}

interface Evidence {
  readonly load: Load;
  readonly way: FaultyWay;
  readonly meddling: Meddling;
  readonly merchant: ChaosMerchant;
  readonly database: Pool;
  readonly pspUrl: string;
  readonly pspApiKey: string;
  /** `GET /api/invariants` of the service. */
  readonly promises: readonly { readonly name: string; readonly breaches: number }[];
}

/** A row of the table; `most` is set where more than that is a violation. */
export interface Count {
  readonly name: string;
  readonly count: number;
  readonly max?: number;
}

interface PaymentRow {
  readonly invoice_id: string;
  readonly state: string;
  readonly set_aside: boolean;
  readonly methods: readonly string[];
}

interface EventRow {
  readonly event_id: string;
  readonly type: string;
  readonly body: string;
  readonly delivery: string | null;
}

/**
 * Holds three records against each other: the PSP's ledger, what arrived at the merchant, and the
 * database. It shares no code with the engine.
 */
export async function check(evidence: Evidence): Promise<readonly Count[]> {
  const { load, way, meddling, merchant, database } = evidence;
  const ledger = await readLedger(evidence);
  const { rows: payments } = await database.query<PaymentRow>(
    `select invoice_id, state, set_aside_at is not null as set_aside, payment_method_ids as methods
     from payments`,
  );
  const { rows: events } = await database.query<EventRow>(
    `select e.event_id, e.type, e.body, d.state as delivery
     from events e left join deliveries d using (merchant_id, event_id)`,
  );
  const states = new Map(payments.map((row) => [row.invoice_id, row.state]));
  const successes = ledger.filter((charge) => charge.status === 'succeeded');
  const paid = new Map<string, number>();
  for (const { invoice } of successes) paid.set(invoice, (paid.get(invoice) ?? 0) + 1);
  const ended = ['recovered', 'stopped', 'exhausted'];
  const open = payments.filter((row) => !ended.includes(row.state));
  const aside = open.filter((row) => row.set_aside);
  const downFor = aside.filter((row) => row.methods.every((method) => method.includes(downMethod)));
  const reported = [...load.acknowledged.keys()];
  const recovered = payments.filter((row) => row.state === 'recovered');
  const told = successEvents(events);
  return [
    { name: 'payments acknowledged', count: reported.length },
    {
      name: 'acknowledged and lost',
      count: reported.filter((id) => !states.has(id)).length,
      max: 0,
    },
    {
      name: 'not at an end, and nobody asked',
      count: open.filter((row) => !row.set_aside).length,
      max: 0,
    },
    { name: 'set aside: the PSP was down for each try', count: downFor.length },
    { name: 'set aside, though the PSP answered', count: aside.length - downFor.length, max: 0 },
    { name: 'incidents', count: await incidentsOf(database), max: 0 },
    { name: 'recovered', count: recovered.length },
    { name: 'exhausted', count: payments.filter((row) => row.state === 'exhausted').length },
    { name: 'stopped', count: payments.filter((row) => row.state === 'stopped').length },
    {
      name: 'charged after a stop was acknowledged',
      count: [...meddling.stopped].filter(([id, atMs]) => (way.lastSentMs.get(id) ?? 0) > atMs)
        .length,
      max: 0,
    },
    { name: 'charges at the PSP', count: ledger.length },
    { name: 'successes at the PSP', count: successes.length },
    {
      name: 'doubled: more than one success of a debt',
      count: [...paid.values()].filter((count) => count > 1).length,
      max: 0,
    },
    {
      name: 'successes lost: paid at the PSP, not recovered',
      count: [...paid.keys()].filter((id) => states.get(id) !== 'recovered').length,
      max: 0,
    },
    {
      name: 'recovered without a success at the PSP',
      count: recovered.filter((row) => !paid.has(row.invoice_id)).length,
      max: 0,
    },
    {
      name: 'charges that arrived again under their key',
      count: [...way.arrivals.values()].filter((count) => count > 1).length,
      max: 0,
    },
    ...transactionCounts(await transactionsOf(database), ledger),
    ...eventCounts(events, merchant),
    {
      name: 'recovered and not told of exactly once',
      count: recovered.filter((row) => told.get(row.invoice_id) !== 1).length,
      max: 0,
    },
    {
      name: 'told of and not recovered',
      count: [...told.keys()].filter((id) => states.get(id) !== 'recovered').length,
      max: 0,
    },
    {
      name: "breaches of the service's own invariants",
      count: evidence.promises.reduce((sum, { breaches }) => sum + breaches, 0),
      max: 0,
    },
  ];
}

/** For these methods the sandbox is always down: after twenty tries a person is asked. */
const downMethod = 'unavailable';

async function incidentsOf(database: Pool): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::integer as count from incidents',
  );
  return rows[0]?.count ?? 0;
}

async function readLedger({ pspUrl, pspApiKey }: Evidence): Promise<readonly LedgerCharge[]> {
  const charges: LedgerCharge[] = [];
  for (let cursor = ''; ; ) {
    const answer = await fetch(`${pspUrl}/v1/charges?limit=200${cursor}`, {
      headers: { authorization: `Bearer ${pspApiKey}` },
    });
    const page = (await answer.json()) as { data: LedgerCharge[]; next_cursor?: string };
    charges.push(...page.data);
    if (page.next_cursor === undefined) return charges;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

interface TransactionRow {
  readonly idempotency_key: string;
  readonly state: string;
}

async function transactionsOf(database: Pool): Promise<readonly TransactionRow[]> {
  // A key that was found never made was sent again: the row that stands for it comes last.
  const { rows } = await database.query<TransactionRow>(
    `select idempotency_key, state from psp_transactions order by (state = 'not_made') desc`,
  );
  return rows;
}

/** Each charge of the ledger has its row, with the same end. */
function transactionCounts(
  rows: readonly TransactionRow[],
  ledger: readonly LedgerCharge[],
): readonly Count[] {
  const own = new Map(rows.map((row) => [row.idempotency_key, row.state]));
  const keys = new Set(ledger.map((charge) => charge.idempotency_key));
  return [
    {
      name: 'charges at the PSP that the record lacks or has otherwise',
      count: ledger.filter((charge) => own.get(charge.idempotency_key) !== charge.status).length,
      max: 0,
    },
    {
      name: 'charges in the record that the PSP lacks',
      count: [...own].filter(
        ([key, state]) => ['succeeded', 'declined'].includes(state) && !keys.has(key),
      ).length,
      max: 0,
    },
    {
      name: 'charges whose outcome is not known',
      count: rows.filter((row) => ['sending', 'unknown'].includes(row.state)).length,
      max: 0,
    },
    {
      name: 'charges found never made, and made again',
      count: rows.filter((row) => row.state === 'not_made').length,
    },
  ];
}

function eventCounts(events: readonly EventRow[], merchant: ChaosMerchant): readonly Count[] {
  const entries = [...merchant.inbox.values()];
  const ids = new Set(events.map(({ event_id: id }) => createHash('md5').update(id).digest('hex')));
  return [
    { name: 'events', count: events.length },
    { name: 'deliveries', count: entries.reduce((sum, entry) => sum + entry.sends, 0) },
    {
      name: 'repeated deliveries, by their ids',
      count: entries.reduce((sum, entry) => sum + entry.sends - 1, 0),
    },
    {
      name: 'events that never arrived',
      count: [...ids].filter((id) => (merchant.inbox.get(id)?.acknowledged ?? 0) === 0).length,
      max: 0,
    },
    {
      name: 'events not marked as delivered',
      count: events.filter((event) => event.delivery !== 'delivered').length,
      max: 0,
    },
    {
      name: 'deliveries of no event',
      count: [...merchant.inbox.keys()].filter((id) => !ids.has(id)).length,
      max: 0,
    },
    {
      name: 'ids that came with two contents',
      count: entries.filter((entry) => entry.bodies.size > 1).length,
      max: 0,
    },
  ];
}

/** How many events tell of a success, by invoice. */
function successEvents(events: readonly EventRow[]): ReadonlyMap<string, number> {
  const told = new Map<string, number>();
  for (const { type, body } of events) {
    const { invoice_id: id, success } = JSON.parse(body) as {
      invoice_id?: string;
      success?: boolean;
    };
    if (type !== 'retry_result' || success !== true || id === undefined) continue;
    told.set(id, (told.get(id) ?? 0) + 1);
  }
  return told;
}
