import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { useServices } from '../kits/service.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';
import { attributesOf, startTraceCollector, type TakenSpan } from '../kits/trace-collector.ts';

const services = useServices();
const callerTrace = 'c'.repeat(32);

test('a recovery is one trace, from its report to its webhook', async () => {
  await using collector = await startTraceCollector();
  const service = await services.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const event = failedEvent({
    invoiceId: 'in_traced',
    methods: cardsOf('in_traced', ['pm_sandbox_success']),
    at: await serviceNow(service),
  });
  const headers = { traceparent: `00-${callerTrace}-${'d'.repeat(16)}-01` };
  const api = recoveryApi(service);
  await expectStatus(api.post('/recover/payments', event, headers), 200);
  await advance(service, 'P4D');
  await service.printed(/webhook verified: retry_result of in_traced/);
  expect((await service.stop()).stderr).toBe('');

  const traceId = createHash('sha256')
    .update(`${service.merchantId}\nin_traced`)
    .digest('hex')
    .slice(0, 32);
  const inTrace = collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string): TakenSpan => {
    const span = inTrace.find((each) => each.name === name);
    if (span === undefined) throw new Error(`no span ${name}: ${inTrace.map((each) => each.name)}`);
    return span;
  };
  const post = collector.spans.find(({ name }) => name === 'POST /recover/payments');
  expect(post).toMatchObject({ traceId: callerTrace, parentSpanId: 'd'.repeat(16) });
  expect(named('accept payment').links).toMatchObject([{ spanId: post?.spanId }]);
  expect(named('apply request').parentSpanId).toBeUndefined();
  expect(named('plan payment').parentSpanId).toBeUndefined();
  const attempt = named('attempt payment');
  expect(named('final check').parentSpanId).toBe(attempt.spanId);
  expect(attributesOf(named('final check'))).toEqual({ 'recoup.outcome': 'retry' });
  expect(named('charge').parentSpanId).toBe(attempt.spanId);
  expect(attributesOf(named('charge'))).toMatchObject({
    'recoup.psp': 'sandbox',
    'recoup.outcome': 'succeeded',
  });
  const delivery = inTrace.find(
    (span) =>
      span.name === 'deliver event' && attributesOf(span)['recoup.event_type'] === 'retry_result',
  );
  const sent = inTrace.filter(({ name }) => name === 'send webhook');
  expect(sent.map(({ parentSpanId }) => parentSpanId)).toContain(delivery?.spanId);
  // No id of a customer or of a payment method, no address, no key.
  const everything = JSON.stringify(collector.spans);
  expect(everything).not.toContain('pm_sandbox');
  expect(everything).not.toContain(event.customer.id);
  expect(everything).not.toContain(service.apiKey);
});
