import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { isRing, ring, ringChannel } from '../../src/store/rings.ts';
import { createTestDatabase, type TestDatabase } from '../kits/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const log = { warn() {} };

it('a process hears the rings of its cell, and not those of another', async () => {
  const heard: (string | undefined)[] = [];
  let tell: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const address = { connectionString: database.connectionString, poolSize: 1 };
  const listening = openDatabase(
    { log },
    {
      ...address,
      hears: {
        channel: ringChannel('cell_1'),
        heard(payload) {
          heard.push(payload);
          if (payload === 'clock') tell();
        },
      },
    },
  );
  const ringing = openDatabase({ log }, address);
  try {
    await listening.query({ name: 'open', text: 'select 1' }, []);
    await ring(ringing, ringChannel(undefined), 'payments');
    await ring(ringing, ringChannel('cell_2'), 'payments');
    await ring(ringing, ringChannel('cell_1'), 'requests');
    await ring(ringing, ringChannel('cell_1'), 'clock');
    await ended;
    expect(heard).toEqual(['requests', 'clock']);
  } finally {
    await Promise.all([listening.close(), ringing.close()]);
  }
});

it('only words of ours are rings', () => {
  expect(isRing('unknownCharges')).toBe(true);
  expect(isRing('models')).toBe(false);
  expect(isRing(undefined)).toBe(false);
});
