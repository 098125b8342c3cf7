import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const id = /^\{"id":"ana_[0-9a-z]{24}"\}$/;

describe('an analytics record', () => {
  it('is acknowledged on both paths, with the same id for the same content', async () => {
    const answers = await Promise.all(
      ['/v1/analytics/', '/v1/analytics'].map((path) => world.call('POST', path, analyticsRecord)),
    );
    for (const { status, text, headers } of answers) {
      expect(status).toBe(200);
      expect(text).toMatch(id);
      expect(headers.get('content-type')).toBe('application/json');
    }
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  it('twenty times at once is one row', async () => {
    const body = { ...analyticsRecord, charge_id: 'ch_twenty', customer_id: 'cus_twenty' };
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.submit(body)));
    expect(new Set(ids).size).toBe(1);
    expect(
      await world.rows('select from analytics where charge_id = $1', ['ch_twenty']),
    ).toHaveLength(1);
    expect(
      await world.rows(
        'select from analytics_subjects s where exists (select from analytics a where a.subject_id = s.subject_id and a.charge_id = $1)',
        ['ch_twenty'],
      ),
    ).toHaveLength(1);
  });
});
