import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { isGone } from '../endpoint/is-gone.ts';
import type { IsTrusted } from '../proxies/trusted-proxies.ts';
import { addressBlock } from '../server/address-block.ts';
import { type Answer, sendAnswer } from '../server/answer.ts';
import type { Bounds } from './bounds.ts';
import { workInTurn } from './in-turn.ts';
import { paceRefusals } from './pace-refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the stages of its API bound it; all else is bounded by address. */
    readonly hasStages?: boolean;
    /** Whether it is answered whatever the load. */
    readonly isProbe?: boolean;
  }
}

/** Bounds what comes before any stage: connections, requests on each of them, and pages that are open to all. */
export function guardServer(
  app: FastifyInstance,
  of: {
    readonly bounds: Bounds;
    readonly refuse: (retryAfterSeconds: number) => Answer;
    readonly isTrusted: IsTrusted;
  },
): void {
  workInTurn(app.server);
  limitConnections(app, of.bounds.settings.connectionsPerAddress, of.isTrusted);
  paceRefusals(app, of.bounds);
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && request.routeOptions.config.hasStages === true) return undefined;
    const { open, load } = of.bounds;
    const isProbe = !request.is404 && request.routeOptions.config.isProbe === true;
    if (load.givesUp('read') && !isProbe) throw new AppError('service_busy');
    const address = addressBlock(request.address);
    const entry = await open.enter(address, () => isGone({ request, reply }));
    if (entry === 'gone') return reply.hijack();
    if (entry === 'full') return sendAnswer(reply, open.refused(of.refuse));
    leaveOnce(reply.raw, () => open.leave(address));
    return undefined;
  });
}

/** An answer that was sent is finished, one that was not is closed. */
function leaveOnce(response: NodeJS.EventEmitter, leave: () => void): void {
  let hasLeft = false;
  const once = (): void => {
    if (!hasLeft) leave();
    hasLeft = true;
  };
  response.once('finish', once).once('close', once);
}

/** A trusted proxy brings everybody's: it has limits of its own. */
function limitConnections(app: FastifyInstance, max: number, isTrusted: IsTrusted): void {
  const counts = new Map<string, number>();
  app.server.on('connection', (socket) => {
    // By its own address: the block that an IPv6 address is counted by names a network, and no proxy.
    if (isTrusted(socket.remoteAddress ?? '')) return;
    const address = addressBlock(socket.remoteAddress);
    const count = (counts.get(address) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    counts.set(address, count);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  });
}
