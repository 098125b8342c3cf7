import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { LiveChange } from '../../src/recovery/reports/live.ts';
import { operatorKit, operatorToken } from '../kits/operator-server.ts';

const change = (merchantId: string): LiveChange => ({
  merchantId,
  invoiceId: `in_of_${merchantId}`,
  status: 'recovered',
  amountMinor: 4_200,
  currency: 'EUR',
  at: new Date('2026-03-01T09:00:00.000Z'),
});

it('streams what changes of one merchant, and stops listening when the page is closed', async () => {
  const listeners = new Set<(changes: readonly LiveChange[]) => void>();
  const left = Promise.withResolvers<void>();
  const { server } = operatorKit({
    live: {
      subscribe(listener) {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
          left.resolve();
        };
      },
    },
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const closing = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/live?merchant_id=mer_1`, {
    headers: { authorization: `Bearer ${operatorToken}` },
    signal: closing.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('retry: 2000\n\n');
  for (const listener of listeners) listener([change('mer_2')]);
  for (const listener of listeners) listener([change('mer_1'), change('mer_2')]);
  const text = (await reader?.read())?.value ?? '';
  expect(JSON.parse(text.slice('data: '.length))).toEqual({
    now: '2026-03-01T09:30:00.000Z',
    changes: [
      {
        merchant_id: 'mer_1',
        invoice_id: 'in_of_mer_1',
        status: 'recovered',
        amount: 42,
        currency: 'EUR',
        at: '2026-03-01T09:00:00.000Z',
      },
    ],
  });
  closing.abort();
  await left.promise;
  expect(listeners.size).toBe(0);
});

it('needs the token', async () => {
  const { server } = operatorKit();
  expect((await server.inject('/api/live')).statusCode).toBe(401);
});
