import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { minuteMs, secondMs } from '../../../domain/clock.ts';
import { AppError } from '../../../domain/errors.ts';
import { decimalNumber } from '../../../domain/money.ts';
import type { LiveChange } from '../../../recovery/reports/live.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField } from '../shapes.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField) },
  { additionalProperties: false },
);

/** More often than proxies drop what is silent. */
const heartbeatMs = 15 * secondMs;
/** Then the browser asks anew, and shows that its session still holds. */
const streamMs = 15 * minuteMs;
/** Tabs of all operators. */
const streamsMost = 200;

/** GET /api/live: payments as they change, as server-sent events. For the dashboard alone. */
export function streamChanges(server: FastifyInstance, deps: OperatorDeps): void {
  const ends = new Set<() => void>();
  server.addHook('preClose', async () => {
    for (const end of ends) end();
  });
  server.get<{ Querystring: Type.Static<typeof query> }>(
    '/live',
    { schema: { hide: true, querystring: query } },
    (request, reply) => {
      if (ends.size >= streamsMost) {
        throw new AppError('too_many_requests', 'Too many pages are listening.');
      }
      const { merchant_id: merchantId } = request.query;
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      raw.write('retry: 2000\n\n');
      const unsubscribe = deps.live.subscribe((changes) => {
        const own = changes.filter(
          (each) => merchantId === undefined || each.merchantId === merchantId,
        );
        if (own.length > 0) raw.write(`data: ${JSON.stringify(messageOf(own, deps.now()))}\n\n`);
      });
      const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs);
      const end = (): void => {
        unsubscribe();
        clearInterval(heartbeat);
        clearTimeout(lifetime);
        ends.delete(end);
        raw.end();
      };
      const lifetime = setTimeout(end, streamMs);
      ends.add(end);
      raw.on('close', end);
    },
  );
}

function messageOf(changes: readonly LiveChange[], now: Date) {
  return {
    now: now.toISOString(),
    changes: changes.map((change) => ({
      merchant_id: change.merchantId,
      invoice_id: change.invoiceId,
      status: change.status,
      amount: decimalNumber(change),
      currency: change.currency,
      at: change.at.toISOString(),
    })),
  };
}
