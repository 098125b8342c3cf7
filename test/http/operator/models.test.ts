import { describe, expect, it } from 'vitest';
import type { ModelView } from '../../../src/recovery/learned/model-ports.ts';
import { operatorKit } from '../../kits/operator-server.ts';

const at = new Date('2026-03-02T00:00:00.000Z');
const model: ModelView = {
  merchantId: '*',
  modelId: 'mod_1',
  status: 'active',
  origin: 'trained',
  metrics: { tries: 500 },
  drift: { tries: 300, successes: 10, foretold: 90, variance: 60 },
  distrust: 'of the last 300 tries 10 succeeded, where 90 were predicted',
  createdAt: at,
  activatedAt: at,
};
const training = {
  state: 'reading',
  tries: 12,
  words: '',
  requestedAt: at,
  updatedAt: at,
} as const;

describe('GET /api/models', () => {
  it('lists models with what they predicted, an alert, and the state of trainings', async () => {
    const { ask, api } = operatorKit();
    api.models = { models: [model], trainings: [{ ...training, merchantId: 'mer_1' }] };
    const reply = await ask('GET', '/api/models');
    const time = at.toISOString();
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
            alert: model.distrust,
            created_at: time,
            activated_at: time,
          },
        ],
        trainings: [
          {
            merchant_id: 'mer_1',
            state: 'reading',
            tries: 12,
            words: '',
            requested_at: time,
            updated_at: time,
          },
        ],
      },
    ]);
  });
});

describe('POST /api/models/train', () => {
  it('asks for the model of all merchants, without a body', async () => {
    const { ask, api } = operatorKit();
    const reply = await ask('POST', '/api/models/train');
    expect([reply.status, reply.json]).toEqual([202, { state: 'queued' }]);
    expect(api.calls).toContainEqual({ name: 'trainModel', input: undefined });
  });

  it('refuses a merchant that is not there', async () => {
    const { ask } = operatorKit();
    const reply = await ask('POST', '/api/models/train', { merchant_id: 'mer_9' });
    expect(reply.status).toBe(404);
  });
});

describe('POST /api/models/{model_id}/activate', () => {
  it('activates one, and answers what stands then', async () => {
    const { ask, api } = operatorKit();
    api.models = { models: [model], trainings: [] };
    const reply = await ask('POST', '/api/models/mod_1/activate');
    expect([reply.status, reply.json.models.length]).toEqual([200, 1]);
    expect((await ask('POST', '/api/models/mod_2/activate')).status).toBe(404);
  });
});
