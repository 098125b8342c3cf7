import { describe, expect, it } from 'vitest';
import { untilLockWaits } from '../kits/lock-waits.ts';
import { fieldsOf, newMerchant, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';

describe('POST /api/merchants', () => {
  it('creates a merchant with the defaults and shows its secrets', async () => {
    const { ask } = await operatorService();
    const reply = await ask('POST', '/api/merchants', newMerchant);
    expect(reply.status).toBe(201);
    const { id } = reply.json;
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^mer_/),
      recovery_api_key: expect.stringMatching(/^rk_test_/),
      disputes_username: id,
      disputes_password: expect.stringMatching(/^dp_/),
      signing_secret: expect.stringMatching(/^whsec_/),
      name: 'Acme',
      retry_status_url: 'https://billing.acme.example/retry/{invoice_id}',
      webhook_url: 'https://billing.acme.example/webhooks/retry-results',
      auth: { type: 'none' },
      psps: [
        { psp: 'sandbox', webhook_url: `https://disputes.example/v1/psp/sandbox/webhooks/${id}` },
      ],
      policy: {
        kind: 'even',
        window_days: 28,
        max_attempts: 8,
        fixed_days: [3, 7, 10, 14, 17, 21, 24, 28],
      },
      time_zone: 'UTC',
      end_of_dunning: false,
      incident_events: false,
      customer_action_events: false,
      webhook_quick_sends: false,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: '2026-03-01T09:30:00.000Z',
    });
    const { recovery_api_key: _, disputes_username: __, ...shown } = reply.json;
    const { disputes_password: ___, signing_secret: ____, ...kept } = shown;
    expect((await ask('GET', `/api/merchants/${id}`)).json).toEqual(kept);
  });

  it('keeps every setting, and shows no secret of it', async () => {
    const { ask } = await operatorService();
    const given = {
      policy: { kind: 'even', window_days: 14, max_attempts: 4, fixed_days: [2, 14] },
      end_of_dunning: true,
      incident_events: true,
      customer_action_events: true,
      webhook_quick_sends: true,
      time_zone: 'America/New_York',
    };
    const created = await ask('POST', '/api/merchants', {
      ...newMerchant,
      ...given,
      auth: { type: 'basic', username: 'recoup', password: 'hunter2' },
      psps: [{ psp: 'stripe', secret_key: 'sk_hunter2', webhook_secret: 'wh_hunter2' }],
    });
    const { status, json } = await ask('GET', `/api/merchants/${created.json.id}`);
    expect([created.status, status]).toEqual([201, 200]);
    expect(json).toMatchObject({ ...given, auth: { type: 'basic' }, psps: [{ psp: 'stripe' }] });
    expect(JSON.stringify([created.json, json])).not.toContain('hunter2');
  });

  it('changes its time zone to one that there is', async () => {
    const { ask } = await operatorService();
    const { json } = await ask('POST', '/api/merchants', newMerchant);
    const path = `/api/merchants/${json.id}`;
    const refused = await ask('PATCH', path, { time_zone: 'Mars/Olympus' });
    expect([refused.status, fieldsOf(refused)]).toEqual([
      400,
      ['time_zone: Input should be a zone, such as Europe/Berlin'],
    ]);
    const changed = await ask('PATCH', path, { time_zone: 'Europe/Berlin' });
    expect([changed.status, changed.json.time_zone]).toEqual([200, 'Europe/Berlin']);
    expect((await ask('PATCH', path, { name: 'Acme 2' })).json.time_zone).toBe('Europe/Berlin');
  });

  it('names every field at fault at once', async () => {
    const { ask } = operatorKit();
    const reply = await ask('POST', '/api/merchants', {
      name: '',
      webhook_url: 7,
      psps: [{ psp: 'sandbox' }, { psp: 'wirecard' }],
      policy: { window_days: 61, max_attempts: 0, fixed_days: [] },
      retry_url: 'https://x',
    });
    expect(reply.status).toBe(400);
    expect([...fieldsOf(reply)].sort()).toEqual([
      'name: Input should be 1 to 200 characters without line breaks',
      'policy.fixed_days: List should have at least 1 item',
      'policy.max_attempts: Input should be greater than or equal to 1',
      'policy.window_days: Input should be less than or equal to 60',
      "psps.1.psp: Input should be 'stripe', 'adyen', 'braintree', 'worldpay', 'checkout', 'paypal', 'recurly', 'recharge' or 'sandbox'",
      'retry_status_url: Field required',
      'retry_url: There is no such field',
      'webhook_url: Input should be a valid string',
    ]);
  });

  it.each([
    [{ name: ' ' }, 'name: Input should be 1 to 200 characters without line breaks'],
    [{ name: 'a\nb' }, 'name: Input should be 1 to 200 characters without line breaks'],
    [{ name: 'x'.repeat(201) }, 'name: Input should be 1 to 200 characters without line breaks'],
    [
      { webhook_url: 'acme.example' },
      'webhook_url: Input should be an address that begins with https://',
    ],
    [
      { retry_status_url: 'ftp://acme.example/' },
      'retry_status_url: Input should be an address that begins with https://',
    ],
    [
      { webhook_url: `https://a/${'x'.repeat(2048)}` },
      'webhook_url: String should have at most 2048 characters',
    ],
    [{ psps: [] }, 'psps: List should have at least 1 item'],
    [{ psps: [{ psp: 'sandbox' }, { psp: 'sandbox' }] }, 'psps.1.psp: Processor given twice'],
    [
      { psps: [{ psp: 'stripe', secret_key: 7 }] },
      'psps.0.secret_key: Input should be a valid string',
    ],
    [
      { psps: [{ psp: 'stripe', secret_key: '' }] },
      'psps.0.secret_key: Input should be 1 to 4096 characters without line breaks',
    ],
    [{ auth: {} }, "auth: Input should have the type 'none', 'api_key' or 'basic'"],
    [{ auth: { type: 'oauth' } }, "auth: Input should have the type 'none', 'api_key' or 'basic'"],
    [{ auth: { type: 'api_key' } }, 'auth.api_key: Field required'],
    [{ auth: { type: 'none', api_key: 'x' } }, 'auth.api_key: There is no such field'],
    [
      { auth: { type: 'api_key', api_key: 'a b' } },
      'auth.api_key: Input should be 1 to 1024 visible ASCII characters, since it is sent in a header',
    ],
    [
      { auth: { type: 'basic', username: 'a:b', password: 'x' } },
      'auth.username: Input should be 1 to 255 characters without a colon or line breaks',
    ],
    [
      { policy: { kind: 'learned', holdout_share: 0.6 } },
      'policy.holdout_share: Input should be less than or equal to 0.5',
    ],
    [{ policy: { kind: 'random' } }, "policy.kind: Input should be 'fixed', 'even' or 'learned'"],
    [
      { policy: { fixed_days: [1, 3, 3] } },
      'policy.fixed_days.2: Each day should be later than the one before it',
    ],
    [
      { policy: { fixed_days: [1, 29] } },
      'policy.fixed_days.1: Day 29 is after the window of 28 days',
    ],
    [{ policy: { window_days: 2.5 } }, 'policy.window_days: Input should be a valid integer'],
    [{ policy: { days: [1] } }, 'policy.days: There is no such field'],
    [{ end_of_dunning: 'yes' }, 'end_of_dunning: Input should be a valid boolean'],
  ])('refuses %j', async (change, fault) => {
    const { ask } = operatorKit();
    const reply = await ask('POST', '/api/merchants', { ...newMerchant, ...change });
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply)).toEqual([fault]);
  });

  it('spreads the tries over the window that is asked for, while no days are', async () => {
    const { ask } = await operatorService();
    const policy = { window_days: 4 };
    const reply = await ask('POST', '/api/merchants', { ...newMerchant, policy });
    expect(reply.json.policy.fixed_days).toEqual([1, 2, 3, 4]);
  });

  it('says why an address is refused', async () => {
    const { ask } = await operatorService();
    const address = { webhook_url: 'https://10.0.0.1/hook' };
    const reply = await ask('POST', '/api/merchants', { ...newMerchant, ...address });
    expect([reply.status, reply.json.error]).toEqual([
      400,
      {
        code: 'merchant_url_refused',
        message: expect.stringMatching(
          /10\.0\.0\.1 .*Use https and a public address, or add the network to OUTBOUND_ALLOW\.$/,
        ),
      },
    ]);
  });
});

describe('GET /api/merchants', () => {
  it('lists the newest first, page after page', async () => {
    const { ask, merchant, clock } = await operatorService();
    for (const name of ['A', 'B', 'C']) {
      await merchant({ name });
      clock.at = new Date(clock.at.getTime() + 1_000);
    }
    const namesOf = (json: { items: { name: string }[] }) => json.items.map(({ name }) => name);
    const first = await ask('GET', '/api/merchants?limit=2');
    expect(namesOf(first.json)).toEqual(['C', 'B']);
    const second = await ask('GET', `/api/merchants?limit=2&cursor=${first.json.next_cursor}`);
    expect(namesOf(second.json)).toEqual(['A']);
    expect(second.json).not.toHaveProperty('next_cursor');
    expect((await ask('GET', '/api/merchants?cursor=c')).status).toBe(400);
  });

  it('has 50 on a page', async () => {
    const { ask, merchant } = await operatorService();
    for (let made = 0; made < 51; made += 1) await merchant();
    const { json } = await ask('GET', '/api/merchants');
    expect([json.items.length, json.next_cursor]).toEqual([50, expect.any(String)]);
  });

  it.each([
    ['limit=0', 'limit: Input should be greater than or equal to 1'],
    ['limit=201', 'limit: Input should be less than or equal to 200'],
    ['limit=x', 'limit: Input should be a valid integer'],
    ['limit=', 'limit: Input should be a valid integer'],
    ['cursor=', 'cursor: String should have at least 1 character'],
    ['cursor=a&cursor=b', 'cursor: Input should be a valid string'],
    ['page=2', 'page: There is no such field'],
  ])('refuses ?%s', async (query, fault) => {
    const reply = await operatorKit().ask('GET', `/api/merchants?${query}`);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
  });
});

describe('GET /api/merchants/{id}', () => {
  it('answers 404 for no merchant', async () => {
    const { ask } = await operatorService();
    for (const id of ['mer_9', 'mer_8']) {
      const reply = await ask('GET', `/api/merchants/${id}`);
      expect([reply.status, reply.json.error]).toEqual([
        404,
        {
          code: 'not_found',
          message:
            'There is no merchant with this id. Check the id and the merchant it belongs to.',
        },
      ]);
    }
    expect((await ask('GET', `/api/merchants/${'x'.repeat(300)}`)).status).toBe(400);
  });
});

describe('PATCH /api/merchants/{id}', () => {
  it('changes what is given and leaves the rest', async () => {
    const { ask, merchant } = await operatorService();
    const path = `/api/merchants/${await merchant()}`;
    const reply = await ask('PATCH', path, {
      name: 'Acme Ltd',
      auth: { type: 'api_key', api_key: 'hunter2' },
    });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      name: 'Acme Ltd',
      auth: { type: 'api_key' },
      webhook_url: newMerchant.webhook_url,
    });
    expect((await ask('GET', path)).json).toEqual(reply.json);
  });

  it('asks for the credentials again where an address is of another server', async () => {
    const { ask, merchant } = await operatorService();
    const auth = { type: 'api_key', api_key: 'key-of-acme' };
    const path = `/api/merchants/${await merchant({ auth })}`;
    for (const change of [
      { retry_status_url: 'https://evil.example/retry/{invoice_id}' },
      { webhook_url: 'https://evil.example/results' },
      { retry_status_url: 'https://billing.acme.example:8443/retry/{invoice_id}' },
    ]) {
      const refused = await ask('PATCH', path, change);
      expect([refused.status, refused.json.error.code]).toEqual([400, 'merchant_auth_needed']);
    }
    expect((await ask('GET', path)).json.retry_status_url).toBe(newMerchant.retry_status_url);
    const moved = { retry_status_url: 'https://billing.acme.example/v2/retry/{invoice_id}' };
    expect((await ask('PATCH', path, moved)).status).toBe(200);
    const elsewhere = { retry_status_url: 'https://new.acme.example/retry/{invoice_id}', auth };
    expect((await ask('PATCH', path, elsewhere)).status).toBe(200);
    const open = `/api/merchants/${await merchant()}`;
    const away = { webhook_url: 'https://new.acme.example/results' };
    expect((await ask('PATCH', open, away)).status).toBe(200);
  });

  it('changes a policy field by field', async () => {
    const { ask, merchant } = await operatorService();
    const policy = { kind: 'fixed', window_days: 20, max_attempts: 3, fixed_days: [2, 10, 20] };
    const path = `/api/merchants/${await merchant({ policy })}`;
    const more = await ask('PATCH', path, { policy: { max_attempts: 5 } });
    expect(more.json.policy).toEqual({ ...policy, max_attempts: 5 });
    const shorter = await ask('PATCH', path, { policy: { window_days: 12 } });
    expect(shorter.json.policy).toMatchObject({ window_days: 12, fixed_days: [2, 10] });
    const late = await ask('PATCH', path, { policy: { fixed_days: [13] } });
    expect(fieldsOf(late)).toEqual(['policy.fixed_days.0: Day 13 is after the window of 12 days']);
  });

  it('refuses one of two changes of a policy that come at once, and loses none', async () => {
    const { ask, merchant, db } = await operatorService();
    const merchantId = await merchant();
    const path = `/api/merchants/${merchantId}`;
    const before = (await ask('GET', path)).json.policy;
    const holder = await db.pool.connect();
    const changes = [{ window_days: 20 }, { max_attempts: 3 }];
    try {
      await holder.query('begin; select true from merchants for update');
      const asked = Promise.all(changes.map((policy) => ask('PATCH', path, { policy })));
      await untilLockWaits(async (text) => (await db.pool.query(text)).rows, 2);
      await holder.query('commit');
      const replies = await asked;
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const kept = changes[replies.findIndex(({ status }) => status === 200)];
      const { window_days, max_attempts } = { ...before, ...kept };
      const after = (await ask('GET', path)).json.policy;
      expect(after).toMatchObject({ window_days, max_attempts });
    } finally {
      holder.release();
    }
    const [later] = changes.slice(1);
    expect((await ask('PATCH', path, { policy: later })).json.policy).toMatchObject({ ...later });
  });

  it('changes nothing for an empty body', async () => {
    const { ask, merchant, clock } = await operatorService();
    const path = `/api/merchants/${await merchant()}`;
    const before = (await ask('GET', path)).json;
    clock.at = new Date('2026-03-02T00:00:00Z');
    expect(await ask('PATCH', path, {})).toMatchObject({ status: 200, json: before });
  });

  it.each([
    [{ id: 'mer_2' }, 'id: There is no such field'],
    [{ psps: [] }, 'psps: List should have at least 1 item'],
    [
      { webhook_url: 'nowhere' },
      'webhook_url: Input should be an address that begins with https://',
    ],
  ])('refuses %j', async (change, fault) => {
    const { ask, merchant } = await operatorService();
    const path = `/api/merchants/${await merchant()}`;
    const before = (await ask('GET', path)).json;
    const reply = await ask('PATCH', path, change);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
    expect((await ask('GET', path)).json).toEqual(before);
  });

  it('answers 404 for no merchant', async () => {
    const { ask } = await operatorService();
    expect((await ask('PATCH', '/api/merchants/mer_9', {})).status).toBe(404);
  });
});
