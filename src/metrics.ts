import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { hourMs, secondMs } from './domain/clock.ts';
import { disputeWarningDays } from './domain/disputes/warning-days.ts';
import { heldBackCodes } from './domain/held-back.ts';
import { type Psp, psps } from './domain/psps.ts';
import type { ClockState } from './jobs/time/clock-keeper.ts';
import { type PspEventOutcome, pspEventOutcomes } from './recovery/psp-event-ports.ts';

/** Work that falls due: what is late or waits is told apart by these. */
const queues = ['requests', 'attempts', 'settlements', 'deliveries'] as const;
export type Queue = (typeof queues)[number];

export type ApiName = 'recovery' | 'disputes' | 'operator';
const attemptResults = ['succeeded', 'declined', 'not_attempted', 'unknown'] as const;
export type AttemptResult = (typeof attemptResults)[number];

const deliveryResults = ['delivered', 'failed', 'exhausted'] as const;
export type DeliveryResult = (typeof deliveryResults)[number];

const pspWebhookResults = [
  'read',
  'not_connected',
  'unverified',
  'malformed',
  'unavailable',
  'refused',
  'failed',
] as const;
export type PspWebhookResult = (typeof pspWebhookResults)[number];

/**
 * What Recoup counts for Prometheus. Labels come from the closed lists above and from route
 * templates: no id, address or name of a person or merchant is ever one.
 */
export interface Metrics {
  observeRequest(request: ObservedRequest): void;
  countAttempt(result: AttemptResult): void;
  countDelivery(result: DeliveryResult): void;
  /** A charge by somebody else of an invoice that is being recovered. */
  countForeignAttempt(): void;
  /** A webhook of a PSP, by what was answered. */
  countPspWebhook(psp: Psp | 'unknown', result: PspWebhookResult): void;
  /** An event of a PSP that was worked through for the first time. */
  countPspEvent(psp: Psp, outcome: PspEventOutcome): void;
  /** A dispute whose answer is due in so many days or fewer. */
  countDisputeWarning(psp: Psp, stepDays: number): void;
  /** How long the work that waits longest has been due, of each queue. */
  setLongestWaits(waitsMs: Readonly<Record<Queue, number>>): void;
  /** From when something fell due to when its work began. */
  observeLateness(queue: Queue, latenessMs: number): void;
  /** What is worked on now. */
  setInFlight(queue: Queue, count: number): void;
  /** Breaches of each promise of the engine, by its name. */
  setBreaches(breaches: readonly { readonly name: string; readonly breaches: number }[]): void;
  /** What waits for a person: open incidents, work that was set aside, endpoints that are paused. */
  setUndecided(counts: {
    readonly incidents: number;
    readonly setAside: number;
    readonly pausedEndpoints: number;
    readonly messagesFailing: number;
  }): void;
  /** How far behind the process is, and how much it refuses for it: from 0, nothing, to 4. */
  setLoad(load: { readonly delayMs: number; readonly level: number }): void;
  /** Whether reports are read from the primary, since their replica fails. */
  setReportsFallback(isFallenBack: boolean): void;
  /** How this machine's clock stands to the database's, and whether work is held back for it. */
  setClock(clock: ClockState): void;
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>;
}

export interface ObservedRequest {
  readonly api: ApiName;
  readonly method: string;
  /** The route's template, such as `/api/merchants/:id`, or `unmatched`. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Bounds in seconds: a route takes milliseconds, a slow database a second. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** An attempt should start within a second; after a pause of the service it may be hours late. */
const latenessBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43200];

/**
 * What prom-client tells of Node's histogram of the loop's delay is what lies between two of its timers, their own period
 * with it: exact where the process wakes a hundred times a second for it, and else a lag that nobody has.
 * `recoup_loop_delay_seconds` tells how late timers are, and `nodejs_eventloop_lag_seconds` how late this look was.
 */
const ofTheHistogram = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (part) => `nodejs_eventloop_lag_${part}_seconds`,
);

/** A registry of its own, so that two services in one process do not mix their numbers. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: hourMs });
  for (const name of ofTheHistogram) registry.removeSingleMetric(name);
  const observe = httpInstruments(registry);
  const work = workInstruments(registry);
  const breaches = new Gauge({
    name: 'recoup_invariant_breaches',
    help: 'Breaches of a promise of the engine; anything but 0 is a defect.',
    labelNames: ['invariant'],
    registers: [registry],
  });
  const reports = new Gauge({
    name: 'recoup_reports_fallback',
    help: '1 while reports are read from DATABASE_URL, since REPORTS_DATABASE_URL fails.',
    registers: [registry],
  });
  return {
    observeRequest: observe,
    setReportsFallback: (isFallenBack) => reports.set(isFallenBack ? 1 : 0),
    ...work,
    ...pspInstruments(registry),
    setClock: clockInstruments(registry),
    setUndecided: undecidedInstruments(registry),
    setLoad: loadInstruments(registry),
    setBreaches(promises) {
      for (const { name, breaches: count } of promises) breaches.set({ invariant: name }, count);
    },
    text: () => registry.metrics(),
  };
}

function httpInstruments(registry: Registry): Metrics['observeRequest'] {
  const requests = new Counter({
    name: 'recoup_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['api', 'method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'recoup_http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer.',
    labelNames: ['api', 'method', 'route'],
    buckets: requestBuckets,
    registers: [registry],
  });
  return ({ api, method, route, status, durationMs }) => {
    requests.inc({ api, method, route, status });
    seconds.observe({ api, method, route }, durationMs / secondMs);
  };
}

function undecidedInstruments(registry: Registry): Metrics['setUndecided'] {
  const registers = [registry];
  const incidents = new Gauge({
    name: 'recoup_incidents_open',
    help: 'Unresolved incidents; their invoices are frozen.',
    registers,
  });
  const aside = new Gauge({
    name: 'recoup_set_aside',
    help: 'Jobs that kept failing and are not run again until the operator retries them.',
    registers,
  });
  const paused = new Gauge({
    name: 'recoup_endpoints_paused',
    help: 'Paused webhook endpoints; nothing is sent to them until they are resumed.',
    registers,
  });
  const messages = new Gauge({
    name: 'recoup_messages_failing',
    help: 'Messages to customers that the mail server did not accept in two sends, with none accepted since.',
    registers,
  });
  return ({ incidents: open, setAside, pausedEndpoints, messagesFailing }) => {
    incidents.set(open);
    aside.set(setAside);
    paused.set(pausedEndpoints);
    messages.set(messagesFailing);
  };
}

function loadInstruments(registry: Registry): Metrics['setLoad'] {
  const registers = [registry];
  const delay = new Gauge({
    name: 'recoup_loop_delay_seconds',
    help: "How late this process's timers are: the median of the last twenty, about a second's worth.",
    registers,
  });
  const shedding = new Gauge({
    name: 'recoup_shedding_level',
    help: 'What is refused because of it: 0 nothing, 1 requests that would wait, 2 also reads, 3 also writes, 4 also webhooks.',
    registers,
  });
  return ({ delayMs, level }) => {
    delay.set(delayMs / secondMs);
    shedding.set(level);
  };
}

function clockInstruments(registry: Registry): Metrics['setClock'] {
  const registers = [registry];
  const offset = new Gauge({
    name: 'recoup_clock_offset_seconds',
    help: "How far this machine's clock is ahead of the database's; work is held back beyond 2.",
    registers,
  });
  const uncertainty = new Gauge({
    name: 'recoup_clock_uncertainty_seconds',
    help: 'The uncertainty of the offset.',
    registers,
  });
  const held = new Gauge({
    name: 'recoup_work_held_back',
    help: '1 while this process takes no work because its clock cannot be trusted, by reason.',
    labelNames: ['code'],
    registers,
  });
  return ({ aheadMs, uncertaintyMs, heldBack }) => {
    offset.set(aheadMs / secondMs);
    uncertainty.set(uncertaintyMs / secondMs);
    for (const code of heldBackCodes) held.set({ code }, code === heldBack?.code ? 1 : 0);
  };
}

type WorkInstruments = Pick<
  Metrics,
  'countAttempt' | 'countDelivery' | 'observeLateness' | 'setInFlight' | 'setLongestWaits'
>;

/** A counter that begins with its first event shows Prometheus no growth: what may be counted begins at 0. */
const none = 0;

function workInstruments(registry: Registry): WorkInstruments {
  const registers = [registry];
  const attempts = new Counter({
    name: 'recoup_attempts_total',
    help: 'Attempts ended, by result; unknown ones are counted again when they are resolved.',
    labelNames: ['result'],
    registers,
  });
  for (const result of attemptResults) attempts.inc({ result }, none);
  const deliveries = new Counter({
    name: 'recoup_deliveries_total',
    help: 'Sends of webhooks, by result.',
    labelNames: ['result'],
    registers,
  });
  for (const result of deliveryResults) deliveries.inc({ result }, none);
  const lateness = new Histogram({
    name: 'recoup_lateness_seconds',
    help: 'Time from when work fell due to when it began.',
    labelNames: ['queue'],
    buckets: latenessBuckets,
    registers,
  });
  const inFlight = new Gauge({
    name: 'recoup_in_flight',
    help: 'Work that this process is doing now.',
    labelNames: ['queue'],
    registers,
  });
  const waits = new Gauge({
    name: 'recoup_longest_wait_seconds',
    help: 'How long the work that waits longest has been due and is nobody’s, of all processes; 0 where none waits.',
    labelNames: ['queue'],
    registers,
  });
  return {
    setLongestWaits(waitsMs) {
      for (const queue of queues) waits.set({ queue }, waitsMs[queue] / secondMs);
    },
    countAttempt: (result) => attempts.inc({ result }),
    countDelivery: (result) => deliveries.inc({ result }),
    observeLateness: (queue, latenessMs) => {
      // Two machines' clocks may differ by a little: early is not late.
      lateness.observe({ queue }, Math.max(0, latenessMs) / secondMs);
    },
    setInFlight: (queue, count) => inFlight.set({ queue }, count),
  };
}

function pspInstruments(
  registry: Registry,
): Pick<
  Metrics,
  'countForeignAttempt' | 'countPspWebhook' | 'countPspEvent' | 'countDisputeWarning'
> {
  const registers = [registry];
  const foreign = new Counter({
    name: 'recoup_foreign_attempts_total',
    help: 'Charges by others on invoices under recovery: another retrier is switched on.',
    registers,
  });
  const webhooks = new Counter({
    name: 'recoup_psp_webhooks_total',
    help: 'Webhooks from PSPs, by answer.',
    labelNames: ['psp', 'result'],
    registers,
  });
  const events = new Counter({
    name: 'recoup_psp_events_total',
    help: 'Events from PSPs, by what Recoup did with them; repetitions are not counted.',
    labelNames: ['psp', 'outcome'],
    registers,
  });
  const warnings = new Counter({
    name: 'recoup_dispute_warnings_total',
    help: 'Disputes whose answer is due soon, by the days that are left: 7, 3 and 1.',
    labelNames: ['psp', 'days'],
    registers,
  });
  for (const psp of psps) {
    for (const result of pspWebhookResults) webhooks.inc({ psp, result }, none);
    for (const outcome of pspEventOutcomes) events.inc({ psp, outcome }, none);
    for (const days of disputeWarningDays) warnings.inc({ psp, days: days.toString() }, none);
  }
  for (const result of pspWebhookResults) webhooks.inc({ psp: 'unknown', result }, none);
  return {
    countDisputeWarning: (psp, stepDays) => warnings.inc({ psp, days: stepDays.toString() }),
    countForeignAttempt: () => foreign.inc(),
    countPspWebhook: (psp, result) => webhooks.inc({ psp, result }),
    countPspEvent: (psp, outcome) => events.inc({ psp, outcome }),
  };
}

/** Observes every answer of a server. Called before the server is ready. */
export function observeRequests(
  metrics: Pick<Metrics, 'observeRequest'>,
  server: FastifyInstance,
  api: ApiName,
): void {
  server.addHook('onResponse', async (request, reply) => {
    metrics.observeRequest({
      api,
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
  });
}
