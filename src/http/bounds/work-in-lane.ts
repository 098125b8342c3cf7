import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyCaller, Stage } from '../endpoint/exchange.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';
import type { Bounds } from './bounds.ts';

/** The answer that nobody reads; its status is the one that proxies log for such requests. */
export const senderIsGone: Answer = jsonAnswer(499, {});

interface OnItsWay {
  readonly request: Pick<FastifyRequest, 'raw'>;
  readonly reply: Pick<FastifyReply, 'raw'>;
}

/** Whether nobody waits for the answer any more. */
export function isGone({ request, reply }: OnItsWay): boolean {
  // A request that was cut off has none any more.
  const socket: typeof request.raw.socket | null = request.raw.socket;
  return socket === null || socket.destroyed || reply.raw.destroyed;
}

export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * The stage that gives each caller so many requests at once, reads and writes apart, and so many in a second;
 * more of them wait, and beyond that are refused. Work whose caller has left by then is not begun.
 */
export function workInLane<Sender extends AnyCaller>(
  { lanes }: Pick<Bounds, 'lanes'>,
  refuse: (retryAfterSeconds: number) => Answer,
): Stage<Sender> {
  return async (exchange, next) => {
    const { request, reply, caller } = exchange;
    const gone = () => isGone({ request, reply });
    const lane = isRead(request) ? lanes.reads : lanes.writes;
    const name = caller?.merchantId ?? 'operator';
    const entry = await lane.enter(name, gone);
    if (entry === 'gone') return senderIsGone;
    if (entry === 'full') return refuse(lane.retryAfterSeconds);
    let isStreamed = false;
    try {
      if (gone()) return senderIsGone;
      const answer = await next();
      // What is written line by line is worked on while it is; what is only read, listened to.
      if (answer.stream !== undefined && !isRead(request)) {
        isStreamed = true;
        answer.stream.once('close', () => lane.leave(name));
      }
      return answer;
    } finally {
      if (!isStreamed) lane.leave(name);
    }
  };
}
