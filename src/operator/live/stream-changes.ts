import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import { minuteMs, secondMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { decimalNumber } from '../../domain/money.ts';
import { defineEndpoint, type GuardedEndpoint } from '../../http/endpoint/define-endpoint.ts';
import type { LiveChange } from '../../recovery/reports/live.ts';
import type { OperatorContext, OperatorDeps } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField } from '../shapes.ts';
import type { Standing } from './standing.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField) },
  { additionalProperties: false },
);

/** More often than proxies drop what is silent. */
const heartbeatMs = 15 * secondMs;
/** Then the browser asks anew, and shows that its session still holds. */
const streamMs = 15 * minuteMs;
/** Tabs of all operators. */
const maxStreams = 200;

const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/**
 * GET /api/live: payments as they change, as server-sent events. For the dashboard alone. It ends when
 * whoever asked signs out, or may do something else than when they asked.
 */
export function streamChanges(standing: Pick<Standing, 'watch'>): {
  readonly endpoint: GuardedEndpoint<OperatorContext>;
  /** Ends what is open, so that the server can close. */
  endAll(): void;
} {
  const open = new Set<LiveStream>();
  const endpoint = defineEndpoint({
    method: 'GET',
    path: '/api/live',
    needs: { role: 'viewer', reach: 'queried' },
    schema: { query },
    async answer({ query }, deps: OperatorContext) {
      if (open.size >= maxStreams) {
        throw new AppError('too_many_requests', 'Too many dashboard pages are open.');
      }
      const live = changesAsEvents(deps, whose(deps, query));
      open.add(live);
      const watch = standing.watch(deps.caller, live.end);
      live.stream.on('close', () => {
        watch.stop();
        open.delete(live);
      });
      return { status: 200, body: '', stream: live.stream, headers };
    },
  });
  return {
    endpoint,
    endAll() {
      for (const live of open) live.end();
    },
  };
}

interface LiveStream {
  readonly stream: Readable;
  /** Sends no more, and ends it. */
  end(): void;
}

function changesAsEvents(
  deps: Pick<OperatorDeps, 'live' | 'now'>,
  { merchantIds }: OfMerchants,
): LiveStream {
  const stream = new Readable({
    read() {},
    destroy(error, done) {
      stop();
      done(error);
    },
  });
  const unsubscribe = deps.live.subscribe((changes) => {
    const own = changes.filter((each) => merchantIds?.includes(each.merchantId) !== false);
    if (own.length > 0) stream.push(`data: ${JSON.stringify(messageOf(own, deps.now()))}\n\n`);
  });
  const heartbeat = setInterval(() => stream.push(':\n\n'), heartbeatMs);
  const lifetime = setTimeout(end, streamMs);
  stream.push('retry: 2000\n\n');
  return { stream, end };

  function stop(): void {
    unsubscribe();
    clearInterval(heartbeat);
    clearTimeout(lifetime);
  }

  function end(): void {
    stop();
    stream.push(null);
  }
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
