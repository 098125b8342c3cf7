import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvidenceGateway } from '../../../../src/disputes/submission/evidence-gateway.ts';
import { AppError } from '../../../../src/domain/errors.ts';
import { keepAnalytics } from '../../../../src/jobs/background/history/keep-analytics.ts';
import { startJobQueue } from '../../../../src/jobs/job-queue.ts';
import { databaseFault } from '../../../../src/store/database-fault.ts';
import { removeAnalytics } from '../../../../src/store/disputes/analytics-retention.ts';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
let broken: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
  broken = await openAnalyticsWorld({
    accept: () => Promise.reject(new AppError('database_unreachable')),
  });
});
afterAll(async () => {
  await world.close();
  await broken.close();
});

/** Personal data as it was sent, by what it is. */
const planted = new Map<string, string>();
const answers: string[] = [];

function canary(what: string): string {
  const text = `canary${randomBytes(9).toString('hex')}`;
  planted.set(what, text);
  return text;
}

/** A text as it may stand in a dump: plain, or as the hexadecimal or base64 of its bytes. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), bytes.subarray(0, 12).toString('base64')];
}

function plantedIn(text: string): string[] {
  return [...planted]
    .filter(([, value]) => formsOf(value).some((form) => text.includes(form)))
    .map(([what]) => what);
}

/** Every row of every table of the database, pg-boss's too, as text. */
async function dump(target: AnalyticsWorld): Promise<string> {
  const tables = await target.rows(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  );
  const rows = [];
  for (const { name } of tables)
    rows.push(...(await target.rows(`select t::text as row from ${name} t`)));
  return rows.map(({ row }) => row).join('\n');
}

function person(what: string) {
  const address = `11.${[...randomBytes(3)].map((byte) => 100 + (byte % 100)).join('.')}`;
  planted.set(`${what}: address`, address);
  return {
    ...analyticsRecord,
    customer_email: `${canary(`${what}: e-mail`)}@example.com`,
    user_agent: `Mozilla/5.0 ${canary(`${what}: user agent`)}`,
    ipv4_address: address,
  };
}

async function post(target: AnalyticsWorld, body: unknown, path = '/v1/analytics/') {
  const { text } = await target.call('POST', path, body);
  answers.push(text);
}

/** A dispute from its report to its answer; whoever asks for the evidence gets clear text. */
async function disputeOf(captured: {
  readonly charge_id: string;
  readonly customer_id: string;
}): Promise<void> {
  await post(world, captured);
  world.accounts.set('stripe', { evidence: takesAnything });
  const now = world.clock.now().toISOString();
  const reported = await world.call('POST', '/v1/disputes', {
    psp: 'stripe',
    psp_dispute_id: 'du_canary',
    kind: 'dispute',
    stage: 'chargeback',
    status: 'needs_response',
    network: 'visa',
    reason_code: '10.4',
    amount: 49,
    currency: 'EUR',
    charge_id: captured.charge_id,
    occurred_at: now,
    opened_at: now,
  });
  const path = `/v1/disputes/${JSON.parse(reported.text).id}`;
  answers.push(reported.text, (await world.call('GET', path)).text);
  await post(world, { product_description: 'Acme Pro' }, `${path}/evidence`);
  const evidence = await world.call('GET', `${path}/evidence`);
  expect(plantedIn(evidence.text)).toEqual(['disputed: address', 'disputed: e-mail']);
  await world.call('GET', `${path}/evidence`, undefined, { accept: 'application/pdf' });
  await post(world, { stage_only: true }, `${path}/submit`);
  await post(world, {}, `${path}/submit`);
  expect(staged.flatMap(plantedIn)).toEqual(['disputed: address', 'disputed: e-mail']);
}

const staged: string[] = [];
const takesAnything: EvidenceGateway = {
  kind: 'api',
  stage: async ({ packet, pdf }) => {
    staged.push(JSON.stringify(packet));
    await pdf();
    return { kind: 'done' };
  },
  submit: async () => ({ kind: 'failed', reason: 'HTTP 400' }),
  readSubmitted: async () => ({ kind: 'not_submitted' }),
};

it('no e-mail address, IP address or user agent stands anywhere in clear', async () => {
  const { connectionString } = world.db.pool.options;
  const queue = await startJobQueue(
    { clock: world.clock, log: { info() {}, warn() {}, error() {} } as never, databaseFault },
    {
      connectionString: connectionString ?? '',
      schema: 'canary_jobs',
      applicationName: 'recoup jobs',
      jobs: [
        keepAnalytics({
          retention: { activeMonths: 13, keptMonths: 15 },
          archive: async () => 0,
          remove: (before, limit) => removeAnalytics(world.db, before, limit),
          removeAdded: async () => 0,
          removeUnfinished: async () => 0,
        }),
      ],
      work: true,
    },
  );
  await post(world, person('plain'));
  await post(world, { ...person('customer'), customer_id: 'cus_1' });
  await post(world, { ...person('erased'), customer_id: 'cus_erased' });
  answers.push((await world.call('DELETE', '/v1/customers/cus_erased')).text);
  await post(
    world,
    `${JSON.stringify(person('batch'))}\n${JSON.stringify(person('batch 2'))}`,
    '/v1/analytics/batch',
  );
  await disputeOf({ ...person('disputed'), charge_id: 'ch_disputed', customer_id: 'cus_2' });
  const refused = person('refused');
  await post(world, { ...refused, customer_email: refused.customer_email.replace('@', '@@') });
  await post(world, { ...refused, ipv4_address: `${refused.ipv4_address}/24` });
  await post(world, { ...refused, user_agent: refused.user_agent.repeat(200) });
  await post(world, { ...refused, psp: refused.customer_email });
  await post(world, JSON.stringify(refused).slice(0, -1));
  await post(world, `${JSON.stringify(refused).slice(0, -1)}\n`, '/v1/analytics/batch');
  await post(broken, person('unavailable'));
  await post(broken, JSON.stringify(person('unavailable batch')), '/v1/analytics/batch');
  await queue.stop();

  expect(planted.size).toBe(27);
  expect(await world.rows('select from analytics')).toHaveLength(6);
  const text = await dump(world);
  expect(text).toContain('keep-analytics');
  expect(plantedIn(text)).toEqual([]);
  expect(plantedIn(await dump(broken))).toEqual([]);
  expect(plantedIn([...world.lines, ...broken.lines, ...world.log].join('\n'))).toEqual([]);
  expect(plantedIn(answers.join('\n'))).toEqual([]);
  expect(broken.lines.join('\n')).toContain('a request failed');
});

it('it would be found if it did', async () => {
  const [[what, value] = ['', '']] = planted;
  await world.rows('update merchants set name = $1', [`x${value}`]);
  expect(plantedIn(await dump(world))).toEqual([what]);
});
