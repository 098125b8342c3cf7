import { randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Agent } from 'undici';
import { pooledRandom } from '../../app/pooled-random.ts';
import { endBefore } from '../../app/process/end-before.ts';
import { type App, startApp } from '../../app.ts';
import { parseConfig } from '../../config.ts';
import { addMs, dayMs, hourMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { unitOf } from '../../policy/learned/hash.ts';
import type { ChargeInput } from '../../psp/sandbox/server/charge-input.ts';
import { cardDeclined, type Verdict } from '../../psp/sandbox/server/outcomes.ts';
import { floorHourOf, instantOf } from '../../simulator/calendar.ts';
import {
  type EndToEndWorld,
  endToEndWorld,
  isLinkEvent,
} from '../../simulator/end-to-end/end-to-end-world.ts';
import { wrongModel } from '../../simulator/end-to-end/wrong-model.ts';
import { unreminded } from '../../simulator/messages/answer-of.ts';
import { parameters } from '../../simulator/parameters.ts';
import { buildWorld } from '../../simulator/world.ts';
import type { Uplift } from '../commands/policies/report.ts';
import { checkEverything } from '../commands/service/invariants.ts';
import { createOperatorClient, type OperatorClient } from '../operator-client.ts';
import { type ArmComparison, compareArms, type EndToEndEnd } from './compare-arms.ts';
import { type PlayedMessages, playedMessages } from './played-messages.ts';
import { linkCalls, send, type WorldApi } from './world-api.ts';
import {
  answeredMethodOf,
  createWorldCustomers,
  type LinkCalls,
  type WorldCustomers,
  worldPage,
} from './world-customers.ts';
import { invoiceOf, payerOf, reportOf } from './world-events.ts';
import { startWorldInbox } from './world-inbox.ts';
import { startWorldMerchant, type WorldMerchant } from './world-merchant.ts';

export interface EndToEndInput {
  readonly seed: number;
  readonly failures: number;
  /** Days that are played; failures are spread over all but the last `tailDays`. */
  readonly days: number;
  readonly tailDays: number;
  readonly windowDays: number;
  readonly maxAttempts: number;
  /** The holdout's schedule. */
  readonly fixedDays: readonly number[];
  readonly holdoutShare: number;
  readonly exploreShare: number;
  /** The learned policy's share by hand; without it, by the steps that it earns. */
  readonly learnedShare?: number;
  /** Every model that is trained is wrong on purpose. */
  readonly isWrong?: boolean;
  /** Customers whose payments wait are written to, or would be; no model is trained then. */
  readonly messages?: { readonly isOn: boolean; readonly holdoutShare: number };
  /** Settings of the service over those of a sandbox with a database of its own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told after each day. */
  readonly onDay?: (day: number) => void;
}

export interface EndToEndResult extends ArmComparison {
  readonly models: readonly {
    readonly id: string;
    readonly status: string;
    readonly alert?: string;
  }[];
  readonly breaches: number;
  /** When the learned policy's share was changed, and why; none where it was set by hand. */
  readonly steps: readonly LearnedStep[];
  /** The service's own report of both arms, by decline, method and week. */
  readonly uplift: Uplift;
  readonly ends: readonly EndToEndEnd[];
  /** Where customers are written to. */
  readonly messages?: PlayedMessages;
}

export interface LearnedStep {
  /** Whole days since the beginning. */
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/**
 * The whole service in a simulated world: its engine, its database, its APIs and its clock are the real
 * ones; payers, issuers and their merchant are the simulator's. Models are trained every night from
 * the service's own database.
 */
export async function runEndToEnd(input: EndToEndInput): Promise<EndToEndResult> {
  const spreadDays = Math.max(1, input.days - input.tailDays);
  const drift = { ...parameters.drift, spreadDays };
  const own = input.messages === undefined ? parameters : unreminded(parameters);
  const world = endToEndWorld(
    buildWorld({ seed: input.seed, days: input.windowDays, parameters: { ...own, drift } }),
    input.failures,
  );
  const folder = await mkdtemp(join(tmpdir(), 'recoup-end-to-end-'));
  // As root, the database's own user passes through.
  await chmod(folder, 0o711);
  let [app, merchant]: [App | undefined, WorldMerchant | undefined] = [undefined, undefined];
  const ending = new AbortController();
  const stage = { isPlaying: false, ending: ending.signal };
  let starting: Promise<App> | undefined;
  const end = endBefore(async () => {
    ending.abort();
    await (await starting?.catch(() => undefined))?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const agent = new Agent({ connections: reportsAtOnce });
  const waited = new Set<number>();
  let now = () => atHour(0);
  let calls: LinkCalls | undefined;
  const customers = createWorldCustomers({
    world,
    hour: () => hourOf(now()),
    calls() {
      invariant(calls !== undefined, 'mail comes once the world is played');
      return calls;
    },
  });
  const inbox = await startWorldInbox(customers);
  try {
    starting = startService(world, folder, stage, { ...input, inboxPort: inbox.port });
    app = await starting;
    now = app.now;
    merchant = await startWorldMerchant({
      mayRetry: (invoiceId) => world.mayRetry(payerOf(invoiceId) ?? -1, hourOf(now())),
      onWaiting: (invoiceId) => waited.add(payerOf(invoiceId) ?? -1),
    });
    const client = createOperatorClient({
      url: app.operatorUrl ?? '',
      token: app.operatorToken,
    });
    const { id, key } = await createWorldMerchant(client, merchant, input);
    await advance(client, atHour(0));
    stage.isPlaying = true;
    const api = { agent, url: app.recoveryUrl ?? '', key };
    calls = linkCalls(api);
    await play({ ...api, world, client, customers }, input);
    const arm = { merchantId: id, holdoutShare: input.holdoutShare, endedAt: now() };
    const result = await results(client, world, arm);
    if (input.messages === undefined) return result;
    const of = { merchantId: id, ...input.messages };
    const messages = await playedMessages(client, { ...of, world, waited, customers });
    return { ...result, messages };
  } finally {
    await inbox.close();
    await agent.close();
    await app?.close();
    await merchant?.close();
    await end();
  }
}

/** New York's hours behind UTC in winter: the world's hours are its payers' local ones. */
const zoneMs = 5 * hourMs;
const reportsAtOnce = 32;
/** BackgroundJobs that this world has work for. */
const jobs: readonly string[] = [
  'train-models',
  'train-model',
  'watch-models',
  'check-invariants-now',
];
const jobsWithMessages: readonly string[] = ['send-messages', 'check-invariants-now'];

function atHour(hour: number): Date {
  return addMs(instantOf(hour), zoneMs);
}

function hourOf(at: Date): number {
  return floorHourOf(addMs(at, -zoneMs));
}

async function startService(
  world: EndToEndWorld,
  folder: string,
  stage: { readonly isPlaying: boolean; readonly ending: AbortSignal },
  { settings, isWrong, messages, inboxPort }: EndToEndInput & { readonly inboxPort: number },
): Promise<App> {
  const own = messages === undefined ? jobs : jobsWithMessages;
  const config = parseConfig({
    DATA_DIR: folder,
    RECOVERY_PORT: '0',
    DISPUTES_PORT: '0',
    OPERATOR_PORT: '0',
    DEMO_MERCHANT_PORT: '0',
    SANDBOX_PSP_PORT: '0',
    SANDBOX: 'true',
    DASHBOARD: 'false',
    RECOVERY_RATE_LIMIT_PER_MINUTE: '100000000',
    ...(messages !== undefined && {
      SMTP_URL: `smtp://127.0.0.1:${inboxPort}`,
      ALERT_SENDER: 'recoup@world.example',
      RECOVERY_URL: 'https://recoup.world.example',
    }),
    ...settings,
  });
  return startApp(
    {
      machine: { now: () => new Date() },
      random: pooledRandom(randomFillSync),
      elapsedMs: () => performance.now(),
      log: pino({ level: 'error' }, pino.destination({ fd: 2, sync: true })),
      onFatal: (error) => {
        throw error;
      },
      ending: stage.ending,
      outside: {
        decide: (charge, at) => decide(world, charge, at),
        // One jump to the world's start, then hour by hour.
        clockGrainMs: () => (stage.isPlaying ? hourMs : 10_000 * dayMs),
        hasJob: (name) => own.includes(name),
        ...(isWrong === true && { spoil: wrongModel }),
      },
    },
    config,
  );
}

function decide(
  world: EndToEndWorld,
  { invoice, payment_method: methodId }: ChargeInput,
  at: Date,
): Verdict {
  const index = payerOf(invoice);
  const payer = world.payers[index ?? -1];
  invariant(index !== undefined && payer !== undefined, 'charges are of payers of the world');
  if (methodId === answeredMethodOf(index)) {
    world.chargeAnswered(index);
    return { network: payer.network, error: undefined };
  }
  const result = world.charge(index, hourOf(at));
  if (result.kind === 'approved') return { network: payer.network, error: undefined };
  const { networkCode = '05', adviceCode } = result.decline;
  return cardDeclined(payer.network, networkCode, adviceCode);
}

async function createWorldMerchant(
  client: OperatorClient,
  merchant: WorldMerchant,
  input: EndToEndInput,
): Promise<{ readonly id: string; readonly key: string }> {
  const created = await client.post<{
    readonly id: string;
    readonly recovery_api_key: string;
  }>('/merchants', {
    name: 'World',
    retry_status_url: merchant.retryStatusUrl,
    webhook_url: merchant.webhookUrl,
    psps: [{ psp: 'sandbox' }],
    ...(input.messages !== undefined && {
      customer_action_events: true,
      customer_page_url: worldPage,
    }),
    policy: {
      kind: 'learned',
      window_days: input.windowDays,
      max_attempts: input.maxAttempts,
      fixed_days: input.fixedDays,
      holdout_share: input.holdoutShare,
      ...present({ learned_share: input.learnedShare }),
      explore_share: input.exploreShare,
    },
  });
  if (input.messages !== undefined) {
    await client.patch(`/merchants/${created.id}/message-settings`, {
      on: input.messages.isOn,
      sender: 'World <billing@world.example>',
      time_zone: 'America/New_York',
      holdout_share: input.messages.holdoutShare,
    });
  }
  return { id: created.id, key: created.recovery_api_key };
}

async function advance(client: OperatorClient, to: Date): Promise<void> {
  await client.post('/sandbox/clock', { to: to.toISOString() }, { patient: true });
}

interface Stage extends WorldApi {
  readonly world: EndToEndWorld;
  readonly client: OperatorClient;
  readonly customers: WorldCustomers;
}

async function play(stage: Stage, { days, onDay }: EndToEndInput): Promise<void> {
  for (let hour = 0; hour <= days * 24; hour += 1) {
    if (hour > 0) await advance(stage.client, atHour(hour));
    const events = stage.world.eventsAt(hour);
    const reports = events.flatMap((event) =>
      isLinkEvent(event) ? [] : [reportOf(event, atHour(hour))],
    );
    for (let from = 0; from < reports.length; from += reportsAtOnce) {
      const batch = reports.slice(from, from + reportsAtOnce);
      await Promise.all(batch.map(({ path, body }) => send(stage, path, body)));
    }
    for (const event of events.filter(isLinkEvent)) await stage.customers.act(event);
    if (hour % 24 === 0) onDay?.(hour / 24);
  }
}

async function results(
  client: OperatorClient,
  world: EndToEndWorld,
  arm: { readonly merchantId: string; readonly holdoutShare: number; readonly endedAt: Date },
): Promise<EndToEndResult> {
  const ends: EndToEndEnd[] = [];
  for await (const payment of payments(client)) {
    const index = payerOf(payment.invoice_id);
    const payer = world.payers[index ?? -1];
    if (payer === undefined) continue;
    const unit = unitOf(invoiceOf(payer.index), `${arm.merchantId}/holdout`);
    ends.push({
      index: payer.index,
      isHeldOut: unit < arm.holdoutShare,
      recovered: payment.status === 'recovered' || payment.stop_reason === 'recovered_elsewhere',
      amountMinor: payer.amountMinor,
      tries: payment.attempt_count,
    });
  }
  const { models } = await client.get<Pick<EndToEndResult, 'models'>>('/models');
  const { items } = await checkEverything(client, { note: () => {}, pause: (ms) => pause(ms) });
  const breaches = items.reduce((sum, item) => sum + item.breaches, 0);
  const uplift = await countedUplift(client, arm);
  const steps = await learnedSteps(client, arm.merchantId);
  return { ...compareArms(ends), models, breaches, steps, uplift, ends };
}

/** From the audit log, the first one first. */
async function learnedSteps(
  client: OperatorClient,
  merchantId: string,
): Promise<readonly LearnedStep[]> {
  const { items } = await client.get<{ readonly items: readonly StepLine[] }>('/audit', {
    merchant_id: merchantId,
    action: 'merchant.learned_share',
    limit: 100,
  });
  const began = atHour(0).getTime();
  return items
    .map(({ at, detail }) => ({ day: Math.floor((Date.parse(at) - began) / dayMs), ...detail }))
    .toReversed();
}

interface StepLine {
  readonly at: string;
  readonly detail: Omit<LearnedStep, 'day'>;
}

/** Reading brings the sums up to date: asked again until all of the play is counted. */
async function countedUplift(
  client: OperatorClient,
  { merchantId, endedAt }: { readonly merchantId: string; readonly endedAt: Date },
): Promise<Uplift> {
  for (;;) {
    const uplift = await client.get<Uplift>('/uplift', { merchant_id: merchantId });
    if (uplift.as_of !== undefined && Date.parse(uplift.as_of) >= endedAt.getTime()) return uplift;
    await pause(200);
  }
}

interface PaymentJson {
  readonly invoice_id: string;
  readonly status: string;
  readonly stop_reason?: string;
  readonly attempt_count: number;
}

async function* payments(client: OperatorClient): AsyncGenerator<PaymentJson> {
  for (let cursor: string | undefined; ; ) {
    const page = await client.get<{ items: PaymentJson[]; next_cursor?: string }>('/payments', {
      cursor,
      limit: 100,
    });
    yield* page.items;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}
