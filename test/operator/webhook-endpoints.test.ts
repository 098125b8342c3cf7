import { describe, expect, it } from 'vitest';
import { operatorService } from '../kits/operator-service.ts';

async function withMerchant(change: object = {}) {
  const service = await operatorService();
  const merchantId = await service.merchant(change);
  return { ...service, merchantId, path: `/api/merchants/${merchantId}/webhook-endpoints` };
}

const url = 'https://alerts.acme.example/recoup';
const endpoint = { url, event_types: ['incident'] };

describe('webhook endpoints of a merchant', () => {
  it('are its own webhook address alone, until others are added', async () => {
    const { ask, path } = await withMerchant();
    const { json } = await ask('GET', path);
    expect(json.items).toMatchObject([{ id: 'primary', quick_sends: false, header_names: [] }]);
    const added = await ask('POST', path, endpoint);
    expect([added.status, added.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^ept_/),
        url,
        event_types: ['incident'],
        quick_sends: false,
        auth: { type: 'none' },
        header_names: [],
        pause_after_days: 5,
        created_at: expect.any(String),
        signing_secret: expect.stringMatching(/^whsec_/),
      },
    ]);
    const { signing_secret: _, ...shown } = added.json;
    expect((await ask('GET', path)).json.items[1]).toEqual(shown);
  });

  it('keep every setting, and show no secret of it', async () => {
    const { ask, path, db } = await withMerchant();
    const given = {
      ...endpoint,
      auth: { type: 'api_key', api_key: 'hunter2' },
      headers: { 'X-Team': 'hunter2hunter2' },
      quick_sends: true,
      pause_after_days: 0,
    };
    const { json } = await ask('POST', path, given);
    expect(json).toMatchObject({
      auth: { type: 'api_key' },
      header_names: ['x-team'],
      quick_sends: true,
    });
    expect(json).not.toHaveProperty('pause_after_days');
    const { rows } = await db.pool.query('select detail, old_value, new_value from audit_log');
    const seen = JSON.stringify([json, (await ask('GET', path)).json, rows]);
    expect(seen).not.toContain('hunter2');
  });

  it('are refused headers of ours, addresses within our network, and no types', async () => {
    const { ask, path } = await withMerchant();
    for (const wrong of [
      { headers: { 'x-service-webhook-type': 'x' } },
      { headers: { host: 'x' } },
      { event_types: [] },
      { event_types: ['other'] },
      { url: 'https://10.0.0.1/hook' },
      { pause_after_days: 31 },
    ]) {
      expect((await ask('POST', path, { ...endpoint, ...wrong })).status).toBe(400);
    }
    expect((await ask('GET', path)).json.items).toHaveLength(1);
  });

  it('are ten at most', async () => {
    const { ask, path } = await withMerchant();
    for (let count = 0; count < 10; count += 1) {
      expect((await ask('POST', path, endpoint)).status).toBe(201);
    }
    expect((await ask('POST', path, endpoint)).status).toBe(409);
  });

  it('are changed field by field, and their credentials never go to another server', async () => {
    const { ask, path } = await withMerchant();
    const auth = { type: 'api_key', api_key: 'key-of-acme' };
    const { json } = await ask('POST', path, { ...endpoint, auth, headers: { 'x-team': 'a' } });
    const one = `${path}/${json.id}`;
    const changed = await ask('PATCH', one, { event_types: ['retry_result'], quick_sends: true });
    expect(changed.json).toMatchObject({ url, event_types: ['retry_result'], quick_sends: true });
    expect((await ask('PATCH', one, { url: `${url}/other` })).status).toBe(200);
    const elsewhere = { url: 'https://elsewhere.example/' };
    expect((await ask('PATCH', one, elsewhere)).json.error.code).toBe('merchant_auth_needed');
    const half = await ask('PATCH', one, { ...elsewhere, auth: { type: 'none' } });
    expect(half.json.error.code).toBe('merchant_auth_needed');
    const whole = { ...elsewhere, auth: { type: 'none' }, headers: {} };
    expect((await ask('PATCH', one, whole)).json).toMatchObject({
      url: 'https://elsewhere.example/',
      auth: { type: 'none' },
      header_names: [],
    });
  });

  it('have their secret rotated, and none of another merchant’s', async () => {
    const { ask, path, merchant } = await withMerchant();
    const { json } = await ask('POST', path, endpoint);
    const rotated = await ask('POST', `${path}/${json.id}/rotate-secret`, { overlap: 'PT0S' });
    expect(rotated.status).toBe(201);
    expect(rotated.json.signing_secret).not.toBe(json.signing_secret);
    const other = `/api/merchants/${await merchant()}/webhook-endpoints/${json.id}`;
    for (const [method, way] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const body = way === '/rotate-secret' || method === 'PATCH' ? {} : undefined;
      expect((await ask(method, `${other}${way}`, body)).status).toBe(404);
    }
  });

  it('are paused and resumed, the own webhook address too, and the overview says so', async () => {
    const { ask, path, merchantId } = await withMerchant();
    const { json } = await ask('POST', path, endpoint);
    for (const id of ['primary', json.id]) {
      expect((await ask('POST', `${path}/${id}/pause`)).json).toEqual({ paused: true });
      expect((await ask('POST', `${path}/${id}/pause`)).json).toEqual({ paused: false });
    }
    const paused = (await ask('GET', path)).json.items;
    expect(paused).toMatchObject([{ paused_by: 'operator' }, { paused_by: 'operator' }]);
    const health = (await ask('GET', `/api/endpoints?merchant_id=${merchantId}`)).json.items;
    expect(health).toMatchObject([
      { endpoint_id: 'primary', state: 'paused' },
      { endpoint_id: json.id, state: 'paused', webhook_url: url },
    ]);
    const kinds = (await ask('GET', '/api/overview')).json.alerts.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds).toEqual(['endpoint_paused']);
    for (const id of ['primary', json.id]) {
      expect((await ask('POST', `${path}/${id}/resume`)).json).toEqual({ resumed: true });
      expect((await ask('POST', `${path}/${id}/resume`)).json).toEqual({ resumed: false });
    }
  });

  it('are there no more once they are removed', async () => {
    const { ask, path } = await withMerchant();
    const { json } = await ask('POST', path, endpoint);
    expect((await ask('DELETE', `${path}/${json.id}`)).status).toBe(204);
    expect((await ask('DELETE', `${path}/${json.id}`)).status).toBe(404);
    expect((await ask('GET', path)).json.items).toHaveLength(1);
    const replays = { from: '2026-03-01T00:00:00Z', endpoint_id: json.id };
    const replay = await ask('POST', path.replace('webhook-endpoints', 'replays'), replays);
    expect(replay.json).toMatchObject({ endpoint_id: json.id, matched: 0, state: 'done' });
  });
});
