import { print } from './kit/report.ts';
import { median, percentile } from './kit/statistics.ts';
import { type ReportWorld, startReportWorld } from './reports/report-world.ts';
import { merchantIds } from './reports/seeds.ts';

const payments = 1_000_000;
const dayMs = 86_400_000;
const warmUps = 5;
/** Reports that read every payment take seconds each. */
const scansOfEach = 3;
const looksOfEach = 100;
const overviewsOfEach = 50;
const pagesDeep = 60;
const budgetsMs = { search: 200, overview: 500 };

type PathOf = (index: number) => string;

interface Part {
  readonly name: string;
  readonly paths: Readonly<Record<string, PathOf>>;
  readonly ofEach: number;
  readonly budgetMs?: number;
}

/** Ids of payments all over the seed, none twice. */
function drawn(index: number): number {
  return 1 + ((index * 611_953) % payments);
}

const search =
  (id: (n: number) => string): PathOf =>
  (index) =>
    `/api/payments?search=${id(drawn(index))}`;
const since = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
const of = (index: number): string => `merchant_id=${merchantIds[index % merchantIds.length]}`;

/** The ids that a person may hold, and what lists are narrowed by. */
const searches: Readonly<Record<string, PathOf>> = {
  invoice: search((n) => `in_${n}`),
  customer: search((n) => `cus_${n % 250_000}`),
  PSP_customer: search((n) => `pspcus_${n % 250_000}`),
  subscription: search((n) => `sub_${n >> 2}`),
  transaction: search((n) => `tra_${n}`),
  failed_charge: search((n) => `ch_${n}`),
  charge_of_ours: search((n) => `ch_${n}_1`),
  idempotency_key: search((n) => `key_${n}_1`),
  attempt: search((n) => `att_${n}_1`),
  event: search((n) => `evt_${n}_1`),
  payment_method: search((n) => `pm_${n % 250_000}`),
  none: search((n) => `nothing_${n}`),
  one_merchant: (index) => `${searchOfInvoice(index)}&${of(index)}`,
  newest: () => '/api/payments',
  by_state: (index) => `/api/payments?status=${states[index % states.length]}`,
  by_state_of_one: (index) => `/api/payments?status=${states[index % states.length]}&${of(index)}`,
  on_hold: () => '/api/payments?held_by=any',
  on_hold_of_one: (index) => `/api/payments?held_by=any&${of(index)}`,
  scheduled_not_held: (index) => `/api/payments?waiting_for=attempt&held_by=none&${of(index)}`,
  beginning_of_an_id: search((n) => `dp_${n}`),
  by_time: (index) => `/api/payments?created_from=${since(60 + (index % 20))}&limit=100`,
  by_state_and_time: (index) =>
    `/api/payments?status=exhausted&created_to=${since(10 + (index % 60))}&limit=100`,
};
/** Of a customer with payments, and of the merchant that the seed gave it. */
function customerPage(n: number): string {
  const customer = n % 50 === 0 ? (n % 250_000) + 1 : n % 250_000;
  const twentieth = customer % 20;
  const merchant = [12, 16, 19, 20].findIndex((end) => twentieth < end);
  return `/api/merchants/${merchantIds[merchant]}/customers/cus_${customer}`;
}

const states = ['scheduled', 'recovered', 'stopped', 'exhausted', 'attempting'];

function searchOfInvoice(index: number): string {
  return `/api/payments?search=in_${drawn(index)}`;
}

/** Of one merchant each, and of all. */
function ranged(path: string): Readonly<Record<string, PathOf>> {
  const ranges = [1, 7, 30, 90].flatMap((days) => [
    [`${days}_days`, () => `${path}?from=${since(days)}`] as const,
    [`${days}_days_of_one`, (index: number) => `${path}?from=${since(days)}&${of(index)}`] as const,
  ]);
  return Object.fromEntries(ranges);
}

const parts: readonly Part[] = [
  { name: 'search', paths: searches, ofEach: looksOfEach, budgetMs: budgetsMs.search },
  {
    name: 'overview',
    paths: ranged('/api/overview'),
    ofEach: overviewsOfEach,
    budgetMs: budgetsMs.overview,
  },
  { name: 'retry map', paths: ranged('/api/retry-map'), ofEach: overviewsOfEach },
  {
    name: 'cohorts',
    paths: {
      by_month: () => '/api/cohorts?by=month',
      by_month_of_one: (index) => `/api/cohorts?by=month&${of(index)}`,
      by_decline_class: () => '/api/cohorts?by=decline_class',
      by_policy_90_days: () => `/api/cohorts?by=policy&from=${since(90)}`,
    },
    ofEach: scansOfEach,
  },
  {
    name: 'customer',
    paths: {
      page: (index) => customerPage(drawn(index)),
    },
    ofEach: looksOfEach,
  },
  {
    name: 'lists of what waits',
    paths: {
      incidents: () => '/api/incidents',
      set_aside: () => '/api/set-aside',
      unknown_charges: () => '/api/unknown-charges',
      disputes: () => '/api/disputes',
      waiting_for_the_customer: () => '/api/payments?waiting_for=customer',
      deliveries: (index) => `/api/merchants/${merchantIds[index % merchantIds.length]}/deliveries`,
    },
    ofEach: overviewsOfEach,
  },
  {
    name: 'cards near a limit',
    paths: {
      all: () => '/api/cards-near-limit',
      of_one: (index) => `/api/cards-near-limit?${of(index)}`,
    },
    ofEach: scansOfEach,
  },
  {
    name: 'experiments',
    paths: { all: () => '/api/experiments', of_one: () => `/api/experiments?${of(0)}` },
    ofEach: scansOfEach,
  },
  {
    name: 'uplift',
    paths: {
      all: () => '/api/uplift',
      of_one: () => `/api/uplift?${of(0)}`,
      of_one_30_days: () => `/api/uplift?${of(0)}&since=${since(30)}`,
    },
    ofEach: scansOfEach,
  },
];

/** What an operator asks of a million payments, over HTTP, one question after the other; milliseconds. */
export async function reports(): Promise<void> {
  await using world = await startReportWorld(payments);
  print(`reports: ${payments} payments filled in ${seconds(world.seededMs)}`);
  const { operator } = world;
  print(
    `  their sums counted by the job in ${seconds(await operator.call('keepRollups', undefined))}`,
  );
  for (const part of parts) {
    const tookMs = await measure(world, part);
    if (part.name === 'search') tookMs.push(...(await turnPages(world)));
    print(`${part.name}: ${asText(tookMs)}${verdict(tookMs, part.budgetMs)}`);
  }
  const countsMs: number[] = [];
  for (let count = 0; count < scansOfEach; count += 1) {
    countsMs.push(await operator.call('countCardLimits', undefined));
  }
  print(`the count of cards near a limit: ${asText(countsMs)}`);
}

async function measure(world: ReportWorld, part: Part): Promise<number[]> {
  const all: number[] = [];
  for (const [kind, path] of Object.entries(part.paths)) {
    const tookMs: number[] = [];
    let [empty, unanswered] = [0, 0];
    const skipped = part.ofEach > warmUps ? warmUps : 1;
    for (let index = 0; index < part.ofEach + skipped; index += 1) {
      const startedAtMs = performance.now();
      const answer = await world.get(path(index));
      if (index < skipped) continue;
      tookMs.push(performance.now() - startedAtMs);
      if (answer === undefined) unanswered += 1;
      else if (Array.isArray(answer.items) && answer.items.length === 0) empty += 1;
    }
    const without =
      (empty === 0 ? '' : ` (${empty} of ${tookMs.length} found nothing)`) +
      (unanswered === 0 ? '' : ` (${unanswered} of ${tookMs.length} not answered in time)`);
    print(`  ${kind}: ${asText(tookMs)}${without}`);
    all.push(...tookMs);
  }
  return all;
}

/** From one page of a hundred to the next, far into the lists. */
async function turnPages(world: ReportWorld): Promise<readonly number[]> {
  const lists = [
    '/api/payments?limit=100',
    `/api/payments?limit=100&status=recovered&created_to=${since(45)}`,
  ];
  const tookMs: number[] = [];
  for (const list of lists) {
    let cursor = '';
    for (let page = 0; page < pagesDeep; page += 1) {
      const startedAtMs = performance.now();
      const answer = await world.get(`${list}${cursor}`);
      tookMs.push(performance.now() - startedAtMs);
      if (typeof answer?.next_cursor !== 'string') break;
      cursor = `&cursor=${answer.next_cursor}`;
    }
  }
  print(`  the first ${pagesDeep} pages of 100: ${asText(tookMs)}`);
  return tookMs;
}

function verdict(tookMs: readonly number[], budgetMs: number | undefined): string {
  if (budgetMs === undefined) return '';
  const kept = percentile(tookMs, 95) <= budgetMs;
  return ` (budget p95 ${budgetMs} ms: ${kept ? 'kept' : 'missed'})`;
}

function asText(values: readonly number[]): string {
  const [p50, p95, p99] = [median(values), percentile(values, 95), percentile(values, 99)];
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function seconds(valueMs: number): string {
  return `${(valueMs / 1000).toFixed(0)} s`;
}
