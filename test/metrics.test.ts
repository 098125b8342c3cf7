import fastify from 'fastify';
import { expect, it } from 'vitest';
import { createMetrics, observeRequests } from '../src/metrics.ts';

it('writes what was counted, in Prometheus text', async () => {
  const metrics = createMetrics();
  metrics.countAttempt('declined');
  metrics.countAttempt('declined');
  metrics.countDelivery('delivered');
  metrics.setInFlight('attempts', 3);
  metrics.setBreaches([{ name: 'one_success_per_invoice', breaches: 0 }]);
  metrics.setLongestWaits({ requests: 0, attempts: 90_000, settlements: 0, deliveries: 0 });
  const text = await metrics.text();
  expect(text).toContain('recoup_attempts_total{result="declined"} 2\n');
  expect(text).toContain('recoup_deliveries_total{result="delivered"} 1\n');
  expect(text).toContain('recoup_in_flight{queue="attempts"} 3\n');
  expect(text).toContain('recoup_invariant_breaches{invariant="one_success_per_invoice"} 0\n');
  expect(text).toContain('recoup_longest_wait_seconds{queue="attempts"} 90\n');
  expect(text).toContain('process_resident_memory_bytes');
});

it('tells no lag of the loop that is the period of a timer', async () => {
  const metrics = createMetrics();
  await metrics.text();
  await new Promise(setImmediate);
  const text = await metrics.text();
  const lags = [...text.matchAll(/^nodejs_eventloop_lag_(\w+) (\S+)$/gm)];
  expect(lags.map(([, name]) => name)).toEqual(['seconds']);
  expect(Number(lags[0]?.[2])).toBeGreaterThan(0);
  expect(Number(lags[0]?.[2])).toBeLessThan(60);
});

it('counts what PSPs tell, and who else charges', async () => {
  const metrics = createMetrics();
  metrics.countForeignAttempt();
  metrics.countPspWebhook('stripe', 'read');
  metrics.countPspWebhook('unknown', 'not_connected');
  metrics.countPspEvent('adyen', 'contradiction');
  const text = await metrics.text();
  expect(text).toContain('recoup_foreign_attempts_total 1\n');
  expect(text).toContain('recoup_psp_webhooks_total{psp="stripe",result="read"} 1\n');
  expect(text).toContain('recoup_psp_webhooks_total{psp="unknown",result="not_connected"} 1\n');
  expect(text).toContain('recoup_psp_events_total{psp="adyen",outcome="contradiction"} 1\n');
});

it('counts lateness in seconds, and takes an early start for a punctual one', async () => {
  const metrics = createMetrics();
  metrics.observeLateness('attempts', 40);
  metrics.observeLateness('attempts', -5);
  const text = await metrics.text();
  expect(text).toContain('recoup_lateness_seconds_bucket{le="0.01",queue="attempts"} 1\n');
  expect(text).toContain('recoup_lateness_seconds_bucket{le="0.05",queue="attempts"} 2\n');
  expect(text).toContain('recoup_lateness_seconds_sum{queue="attempts"} 0.04\n');
});

it('keeps the numbers of two services apart', async () => {
  const [first, second] = [createMetrics(), createMetrics()];
  first.countAttempt('succeeded');
  expect(await second.text()).toContain('recoup_attempts_total{result="succeeded"} 0\n');
});

it('labels requests with the template of their route, never with what was asked for', async () => {
  const metrics = createMetrics();
  const server = fastify();
  observeRequests(metrics, server, 'operator');
  server.get('/api/merchants/:id', async () => ({}));
  await server.inject('/api/merchants/mer_secret');
  await server.inject('/nowhere/mer_secret');
  const text = await metrics.text();
  expect(text).toContain(
    'recoup_http_requests_total{api="operator",method="GET",route="/api/merchants/:id",status="200"} 1\n',
  );
  expect(text).toContain('route="unmatched",status="404"} 1\n');
  expect(text).not.toContain('mer_secret');
  expect(text).toMatch(/recoup_http_request_duration_seconds_count\{.*merchants\/:id"\} 1\n/);
  await server.close();
});
