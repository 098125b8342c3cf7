import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { onlyGateway } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();

/** Everything that stands in any table, as text. */
async function dump(world: EngineWorld): Promise<string> {
  const tables = await world.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema()`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const texts = await Promise.all(
    tables.map(({ name }) => world.rows<{ row: string }>(`select t::text as row from ${name} t`)),
  );
  return texts
    .flat()
    .map((line) => line.row)
    .join('\n');
}

/** Texts that no id, hash or time can hold by chance. */
const canaries = {
  code: 'code-canary',
  token: 'token-canary',
  month: 'month-canary',
  year: 'year-canary',
  name: 'name-canary',
  city: 'city-canary',
  zip: 'zip-canary',
  phone: 'phone-canary',
};

function yesWith(methodIds: readonly string[]) {
  const token = {
    id: canaries.token,
    expiration_month: canaries.month,
    expiration_year: canaries.year,
    card_validation_number: canaries.code,
  };
  const { name, city, zip, phone } = canaries;
  const billing_address = { name, city, state: 'WA', zip, phone };
  const payment_methods = methodIds.map((id) => ({ id, token, billing_address }));
  return { body: { retry: true, reason: 'Invoice open', payment_methods } };
}

function expectNone(text: string): void {
  for (const canary of Object.values(canaries)) expect(text).not.toContain(canary);
}

it.each([
  ['succeeds', 'pm_sandbox_success'],
  ['is declined', 'pm_sandbox_decline_51'],
  ['is refused by the PSP', 'pm_sandbox_unavailable'],
  ['is lost', 'pm_sandbox_lost_success'],
])(
  'a charge that %s leaves no card code, token or address in any table or log line',
  async (_, method) => {
    const world = await engineWorld();
    world.server.answerLookups(yesWith([method]));
    await world.submit(failedEvent({ methods: ['pm_own'] }));
    await world.runUntil(addMs(worldStart, dayMs + 60_000));
    if (method !== 'pm_sandbox_unavailable') {
      expect(await world.ledger()).toMatchObject([
        { token: { id: canaries.token, card_code_given: true } },
      ]);
    }
    const tables = await dump(world);
    expect(tables).toContain(method);
    expectNone(tables);
    expectNone(world.log.join('\n'));
    await expectSound(world);
  },
);

it('a worker that fails while it holds a card code writes none of it', async () => {
  const world = await engineWorld();
  world.server.answerLookups(yesWith(['pm_sandbox_success']));
  const worker = world.worker(() =>
    onlyGateway({
      charge: (request) =>
        Promise.reject(new Error(`charge failed for ${request.token?.cardCode}`)),
      lookUp: async () => ({ kind: 'unknown', reason: 'away' }),
    }),
  );
  await world.submit(failedEvent({ methods: ['pm_own'] }));
  await world.settle();
  world.clock.set(addMs(worldStart, dayMs));
  await worker.settle();
  expect(worker.failures.map(String)).toEqual(['Error: charge failed for [card code]']);
  expectNone(await dump(world));
  expectNone(world.log.join('\n'));
});

it('what a merchant names only by its token is kept by that name, without the rest of the token', async () => {
  const world = await engineWorld();
  const token = { id: 'pm_sandbox_success', card_validation_number: canaries.code };
  world.server.answerLookups({
    body: { retry: true, reason: 'open', payment_methods: [{ token }] },
  });
  await world.submit(failedEvent({ methods: ['pm_own'] }));
  await world.runUntil(addMs(worldStart, dayMs));
  expect((await world.payment()).attempts[0]?.transactions).toMatchObject([
    { status: 'succeeded', paymentMethodId: 'pm_sandbox_success' },
  ]);
});
