import type { FastifyReply, FastifyRequest } from 'fastify';

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

/** Aborted as soon as that is so. */
export function goneSignal(of: OnItsWay): AbortSignal {
  if (isGone(of)) return AbortSignal.abort();
  const controller = new AbortController();
  const { raw } = of.reply;
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
