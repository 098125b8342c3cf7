import { describe, expect, it } from 'vitest';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { allMerchants } from '../../src/recovery/learned/model-ports.ts';
import { createModelStore } from '../../src/store/learned/model-store.ts';
import { operatorService } from '../kits/operator-service.ts';

const at = new Date('2026-03-02T00:00:00.000Z');
const key = { merchantId: allMerchants, modelId: 'mod_1' };

/** A model that plans for all merchants, and is not trusted any more. */
async function withModel() {
  const service = await operatorService();
  const store = createModelStore(service.db);
  const model = { ...priorModel, version: 'mod_1' };
  await store.add({ ...key, model, metrics: { tries: 500 }, at });
  await store.activate({ ...key, by: 'training', at });
  const counts = { tries: 300, successes: 10, foretold: 90, variance: 60 };
  const distrust = 'of the last 300 tries 10 succeeded, where 90 were predicted';
  await store.noteDrift({ ...key, counts, distrust, at });
  return { ...service, distrust };
}

describe('GET /api/models', () => {
  it('lists models with what they predicted, an alert, and the state of trainings', async () => {
    const { ask, merchant, distrust } = await withModel();
    const merchantId = await merchant();
    await ask('POST', '/api/models/train', { merchant_id: merchantId });
    const reply = await ask('GET', '/api/models');
    const time = at.toISOString();
    const now = '2026-03-01T09:30:00.000Z';
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        models: [
          {
            id: 'mod_1',
            status: 'active',
            origin: 'trained',
            metrics: { tries: 500 },
            drift: { tries: 300, successes: 10, foretold: 90 },
            alert: distrust,
            alert_since: time,
            created_at: time,
            activated_at: time,
          },
        ],
        trainings: [
          {
            merchant_id: merchantId,
            state: 'queued',
            tries: 0,
            message: '',
            requested_at: now,
            updated_at: now,
          },
        ],
      },
    ]);
  });
});

describe('POST /api/models/train', () => {
  it('asks for the model of all merchants, without a body', async () => {
    const { ask, requested } = await operatorService();
    const reply = await ask('POST', '/api/models/train');
    expect([reply.status, reply.json]).toEqual([202, { state: 'queued' }]);
    expect(requested).toEqual([{ name: 'training', input: allMerchants }]);
  });

  it('refuses a merchant that is not there', async () => {
    const { ask } = await operatorService();
    const reply = await ask('POST', '/api/models/train', { merchant_id: 'mer_9' });
    expect(reply.status).toBe(404);
  });
});

describe('POST /api/models/{model_id}/activate', () => {
  it('activates one, and answers what stands then', async () => {
    const { ask } = await withModel();
    const { status, json } = await ask('POST', '/api/models/mod_1/activate');
    expect([status, json.models.length]).toEqual([200, 1]);
    expect(json.models[0]).not.toHaveProperty('alert');
    expect((await ask('POST', '/api/models/mod_2/activate')).status).toBe(404);
  });

  it('activates the shipped model on a service that has trained none, and again', async () => {
    const { ask } = await operatorService();
    const path = `/api/models/${priorModel.version}/activate`;
    for (const turn of [1, 2]) {
      const { status, json } = await ask('POST', path);
      const states = json.models.map(({ id, status: state }: Record<string, string>) => [
        id,
        state,
      ]);
      expect([turn, status, states]).toEqual([turn, 200, [[priorModel.version, 'active']]]);
    }
  });

  it('leads back to the shipped model from one that was trained before it was listed', async () => {
    const { ask } = await withModel();
    const { json } = await ask('POST', `/api/models/${priorModel.version}/activate`);
    const active = json.models.filter(({ status }: { status: string }) => status === 'active');
    expect(active).toMatchObject([{ id: priorModel.version, origin: 'shipped' }]);
  });
});
