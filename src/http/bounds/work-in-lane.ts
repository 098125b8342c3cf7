import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { AnyCaller, Stage } from '../endpoint/exchange.ts';
import { isGone } from '../endpoint/is-gone.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';
import type { Bounds } from './bounds.ts';

/** The answer that nobody reads; its status is the one that proxies log for such requests. */
export const senderIsGone: Answer = jsonAnswer(499, {});

export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * The stage that gives each caller so many requests at once, reads and writes apart, and so many in a second, of
 * which a costly one takes several; more of them wait, and beyond that are refused. Work whose caller has left by
 * then is not begun.
 *
 * @throws AppError service_busy while the process is too far behind for it
 */
export function workInLane<Sender extends AnyCaller>(
  { lanes, load, workFor }: Pick<Bounds, 'lanes' | 'load' | 'workFor'>,
  refuse: (retryAfterSeconds: number) => Answer,
): Stage<Sender> {
  return async (exchange, next) => {
    const { request, reply, caller, endpoint } = exchange;
    const gone = () => isGone({ request, reply });
    const lane = isRead(request) ? lanes.reads : lanes.writes;
    const name = caller?.merchantId ?? 'operator';
    const isQueued = load.givesUp('queued') && lane.isTaken(name);
    if (isQueued || load.givesUp(isRead(request) ? 'read' : 'write')) {
      throw new AppError('service_busy');
    }
    const entry = await lane.enter(name, gone, endpoint.weight);
    if (entry === 'gone') return senderIsGone;
    if (entry === 'full') return refuse(lane.retryAfterSeconds);
    let isStreamed = false;
    try {
      if (gone()) return senderIsGone;
      const of = { sender: name, isRead: isRead(request), signal: exchange.signal };
      const answer = await workFor(of, next);
      // What is written line by line is worked on while it is; what is only read, listened to.
      if (answer.stream !== undefined && !isRead(request)) {
        isStreamed = true;
        answer.stream.once('close', () => lane.leave(name));
      }
      return answer;
    } catch (error) {
      return unlessGone(error, exchange.signal);
    } finally {
      if (!isStreamed) lane.leave(name);
    }
  };
}

/**
 * What a request ends in that was given up since its caller had left. One whose caller is there shared
 * a load with one that was.
 *
 * @throws all other errors
 */
export function unlessGone(error: unknown, signal: AbortSignal): Answer {
  if (!(error instanceof AppError) || error.code !== 'caller_gone') throw error;
  if (signal.aborted) return senderIsGone;
  throw new AppError('database_busy', undefined, { cause: error });
}
