import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTracing, type TracingSettings } from '../../../src/app/tracing/open-tracing.ts';
import { seeded } from '../../kits/seeded.ts';
import { attributesOf, startTraceCollector } from '../../kits/trace-collector.ts';

async function world(settings: Partial<TracingSettings> = {}, status?: number) {
  const collector = await startTraceCollector(status);
  onTestFinished(() => collector[Symbol.asyncDispose]());
  const { int } = seeded(7);
  const warnings: [object, string][] = [];
  const log = { warn: (fields: object, text: string) => void warnings.push([fields, text]) };
  const tracing = openTracing(
    { random: { bytes: (count) => Uint8Array.from({ length: count }, () => int(0, 255)) }, log },
    { endpoint: collector.url, headers: {}, serviceName: 'recoup', ratio: 1, ...settings },
  );
  return { collector, tracing, warnings };
}

const recovery = { merchantId: 'm_1', invoiceId: 'in_1' };
const traceId = createHash('sha256').update('m_1\nin_1').digest('hex').slice(0, 32);

describe('openTracing', () => {
  test('puts what is done for a recovery in one trace, whichever process does it', async () => {
    const one = await world();
    const other = await world();
    await one.tracing.span({ name: 'attempt', recovery }, () =>
      one.tracing.span({ name: 'charge', kind: 'client', recovery }, async (span) => {
        span.note({ 'recoup.outcome': 'succeeded' });
      }),
    );
    await other.tracing.span({ name: 'deliver', recovery }, async () => undefined);
    await Promise.all([one.tracing.close(), other.tracing.close()]);
    const [charge, attempt] = one.collector.spans;
    expect(charge).toMatchObject({ name: 'charge', kind: 3, traceId });
    expect(attempt).toMatchObject({ name: 'attempt', kind: 1, traceId });
    expect(charge?.parentSpanId).toBe(attempt?.spanId);
    expect(attempt?.parentSpanId).toBeUndefined();
    expect(charge && attributesOf(charge)).toEqual({
      'recoup.merchant_id': 'm_1',
      'recoup.invoice_id': 'in_1',
      'recoup.outcome': 'succeeded',
    });
    expect(other.collector.spans).toMatchObject([{ name: 'deliver', traceId }]);
  });

  test('goes on with the trace of a caller, and links the recovery to it', async () => {
    const { collector, tracing } = await world();
    const caller = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const request = tracing.open({ name: 'POST', kind: 'server', traceparent: caller });
    await request.within(() => tracing.span({ name: 'accept', recovery }, async () => undefined));
    request.end();
    await tracing.close();
    const [accept, post] = collector.spans;
    expect(post).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16), kind: 2 });
    expect(accept).toMatchObject({
      traceId,
      links: [{ traceId: 'a'.repeat(32), spanId: post?.spanId }],
    });
  });

  test('takes a traceparent that is none for none', async () => {
    const { collector, tracing } = await world();
    tracing.open({ name: 'POST', traceparent: '00-zz-1-01' }).end();
    await tracing.close();
    expect(collector.spans).toMatchObject([{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(collector.spans[0]?.parentSpanId).toBeUndefined();
  });

  test('gives the header that names the running span, and none outside of spans', async () => {
    const { collector, tracing } = await world();
    const inside = await tracing.span({ name: 'x' }, async () => tracing.headers());
    expect(tracing.headers()).toEqual({});
    await tracing.close();
    const [span] = collector.spans;
    expect(inside).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` });
  });

  test('marks what failed, with a cause that quotes nobody', async () => {
    const { collector, tracing } = await world();
    const fails = tracing.span({ name: 'x' }, () => Promise.reject(new RangeError('of Jane')));
    await expect(fails).rejects.toThrow(RangeError);
    const named = tracing.open({ name: 'y' });
    named.fail('“Jane Doe”');
    named.end();
    await tracing.close();
    expect(collector.spans.map(({ status }) => status)).toMatchObject([
      { code: 2, message: 'RangeError' },
      { code: 2, message: 'failed' },
    ]);
  });

  test('sends the headers of the collector, and no trace beyond the share', async () => {
    const { collector, tracing } = await world({ headers: { 'x-key': 'k' } });
    await tracing.span({ name: 'x', recovery }, async () => undefined);
    await tracing.close();
    expect(collector.headers('x-key')).toEqual(['k']);
    const none = await world({ ratio: 0 });
    await none.tracing.span({ name: 'x', recovery }, async () => undefined);
    await none.tracing.close();
    expect(none.collector.spans).toEqual([]);
  });

  test('waits five seconds at its end for a collector that does not answer, and no longer', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { tracing } = await world({ endpoint: `http://127.0.0.1:${port}` });
    await tracing.span({ name: 'x' }, async () => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let isClosed = false;
    const closing = tracing.close().then(() => {
      isClosed = true;
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await closing;
  });

  test('says when the collector does not take spans, and works on', async () => {
    const { tracing, warnings } = await world({}, 400);
    await expect(tracing.span({ name: 'x' }, async () => 'done')).resolves.toBe('done');
    await tracing.close();
    expect(warnings).toEqual([
      [expect.objectContaining({ spans: 1 }), 'traces: the collector did not take them'],
    ]);
  });
});
