import { expect, it, onTestFinished } from 'vitest';
import { createPhase } from '../../../src/app/process/phase.ts';
import { probePortOf } from '../../../src/app/process/probes.ts';
import { parseConfig } from '../../../src/config.ts';
import { createProbeServer } from '../../../src/operator/create-probe-server.ts';
import { wideBounds } from '../../kits/bounds.ts';
import { hostsOfTests } from '../../kits/raw-http.ts';

function probes() {
  const phase = createPhase();
  const server = createProbeServer({
    notServing: () => phase.notServing(),
    databaseAway: async () => undefined,
    writesRefused: async () => undefined,
    heldBack: () => undefined,
    metrics: async () => 'recoup_attempts_total 1\n',
    bounds: wideBounds(),
    hosts: hostsOfTests,
    random: { bytes: (count) => new Uint8Array(count) },
    log: { debug: () => {}, error: () => {} },
  });
  onTestFinished(() => server.close());
  return { phase, server };
}

it('says that a process starts, serves, and ends', async () => {
  const { phase, server } = probes();
  const ready = async () => (await server.inject('/readyz')).json();
  expect(await ready()).toMatchObject({ status: 'not_ready', code: 'service_starting' });
  phase.started();
  expect(await ready()).toEqual({ status: 'ready' });
  phase.ending();
  expect(await ready()).toMatchObject({ status: 'not_ready', code: 'service_ending' });
  // One that is told to end while it starts does not become ready.
  phase.started();
  expect(await ready()).toMatchObject({ code: 'service_ending' });
});

it.each([
  [{}, 9464],
  [{ PROBE_PORT: '7000' }, 7000],
  [{ PROBE_PORT: '0' }, 0],
  [{ RECOVERY_PORT: '9464' }, 0],
])('with the settings %o the port is %i', (env, port) => {
  expect(probePortOf(parseConfig(env))).toBe(port);
});

it('refuses other hosts, other methods and everything else', async () => {
  const { server } = probes();
  const status = async (options: object) => (await server.inject(options)).statusCode;
  expect(await status({ url: '/metrics' })).toBe(200);
  expect(await status({ url: '/metrics', headers: { host: 'evil.example' } })).toBe(421);
  expect(await status({ url: '/metrics', method: 'POST' })).toBe(405);
  expect(await status({ url: '/api/merchants' })).toBe(404);
});
