import type { AnyCaller, Exchange, Stage } from '../endpoint/exchange.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';
import type { Lanes } from './lanes.ts';

export interface CallersLanes {
  readonly reads: Lanes;
  readonly writes: Lanes;
}

/** The answer that nobody reads; its status is the one that proxies log for such requests. */
export const senderIsGone: Answer = jsonAnswer(499, {});

/** Whether nobody waits for the answer any more. */
export function isGone({ request, reply }: Pick<Exchange, 'request' | 'reply'>): boolean {
  return request.raw.socket.destroyed || reply.raw.destroyed;
}

/** Whose lane a request takes: its caller's, or else its address's. */
export function laneNameOf({ request, caller }: Exchange): string {
  if (caller === undefined) return `at ${request.ip}`;
  return caller.merchantId === undefined ? 'operator' : `of ${caller.merchantId}`;
}

/**
 * The stage that gives each caller so many requests at once, reads and writes apart, and so many in a second;
 * more of them wait, and beyond that are refused. Work whose caller has left by then is not begun.
 */
export function workInLane<Sender extends AnyCaller>(
  lanes: CallersLanes,
  refuse: (retryAfterSeconds: number) => Answer,
): Stage<Sender> {
  return async (exchange, next) => {
    const lane = exchange.request.method === 'GET' ? lanes.reads : lanes.writes;
    const name = laneNameOf(exchange as Exchange);
    const entry = await lane.enter(name, () => isGone(exchange as Exchange));
    if (entry === 'gone') return senderIsGone;
    if (entry === 'full') return refuse(lane.retryAfterSeconds);
    try {
      return isGone(exchange as Exchange) ? senderIsGone : await next();
    } finally {
      lane.leave(name);
    }
  };
}
