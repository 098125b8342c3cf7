import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs } from '../../../src/domain/clock.ts';
import type { DisputeAnswer } from '../../../src/domain/disputes/dispute-look-up.ts';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../kits/analytics-world.ts';

const email = 'gone@example.com';
const customer_id = 'cus_1';
const away: DisputeAnswer = { kind: 'unavailable', reason: 'it is away' };
const read: DisputeAnswer = { kind: 'read', facts: { paymentIds: [] }, email };

let world: AnalyticsWorld;
/** What the PSP does when it is asked. */
let lookUp: () => Promise<DisputeAnswer>;
beforeAll(async () => {
  world = await openAnalyticsWorld({}, async () => ({ lookUpDispute: () => lookUp() }) as never);
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of [
    'dispute_matches',
    'dispute_changes',
    'disputes',
    'analytics',
    'analytics_subjects',
  ]) {
    await world.rows(`delete from ${table}`);
  }
  lookUp = async () => away;
});

async function disputed(told: object = {}): Promise<void> {
  const at = world.clock.now().toISOString();
  const { status } = await world.call('POST', '/v1/disputes', {
    ...{ psp: 'stripe', psp_dispute_id: 'dp_1', occurred_at: at, opened_at: at },
    ...{ kind: 'dispute', stage: 'chargeback', status: 'lost', charge_id: 'ch_1' },
    ...told,
  });
  expect(status).toBe(200);
}

async function erase(): Promise<void> {
  expect((await world.call('DELETE', `/v1/customers/${customer_id}`)).status).toBe(200);
}

async function lookUpLater(): Promise<void> {
  world.clock.passMs(hourMs);
  expect(await world.disputes.lookUpDue({ at: world.clock.now(), limit: 10 })).toBe(1);
}

const kept = () =>
  world.rows('select email_index is not null as email, look_up_state from disputes');
const looked = [{ email: false, look_up_state: 'done' }];

describe('the hash of an erased address does not come back to a dispute of theirs', () => {
  beforeEach(async () => {
    await world.submit({ ...analyticsRecord, customer_email: email, customer_id });
  });

  it('by its look-up that was due when they were erased', async () => {
    await disputed();
    await erase();
    lookUp = async () => read;
    await lookUpLater();
    expect(await kept()).toEqual(looked);
  });

  it('by its look-up that was on its way then', async () => {
    await disputed();
    lookUp = async () => {
      await erase();
      return read;
    };
    await lookUpLater();
    expect(await kept()).toEqual(looked);
  });

  it('by a later event that names it, or by one that opens the dispute again', async () => {
    await disputed({ customer_email: email });
    expect(await kept()).toMatchObject([{ email: true }]);
    await erase();
    lookUp = async () => read;
    for (const told of [{}, { stage: 'pre_arbitration', status: 'needs_response' }]) {
      world.clock.passMs(1_000);
      await disputed({ ...told, customer_email: email });
      expect(await kept()).toEqual(looked);
    }
  });

  it('where it had so little in common with their record that a person was to look at it', async () => {
    await disputed({ charge_id: 'ch_other', subscription_id: 'sub_other' });
    await world.rows(
      `insert into dispute_matches (merchant_id, dispute_id, analytics_id, rank, score, reasons, is_inherited)
       select d.merchant_id, dispute_id, analytics_id, 1, 10, '{email}', false from disputes d, analytics`,
    );
    await world.rows(`update disputes set match_state = 'review', matched_at = updated_at`);
    await erase();
    lookUp = async () => read;
    await lookUpLater();
    expect(await kept()).toEqual(looked);
  });
});

it('a dispute of somebody else keeps the hash of their address', async () => {
  await world.submit({ ...analyticsRecord, customer_email: email, customer_id });
  await world.submit({ ...analyticsRecord, customer_id: 'cus_2', charge_id: 'ch_2' });
  await disputed({ charge_id: 'ch_2' });
  await erase();
  lookUp = async () => ({ ...read, email: analyticsRecord.customer_email });
  await lookUpLater();
  expect(await kept()).toEqual([{ email: true, look_up_state: 'done' }]);
});
