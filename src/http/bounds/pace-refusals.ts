import type { FastifyInstance } from 'fastify';
import { isGone } from '../endpoint/is-gone.ts';
import { addressBlock } from '../server/address-block.ts';
import type { Bounds } from './bounds.ts';

const firstRefusal = 400;

/**
 * Lets a sender have so many refusals in a second, whatever they are for; further ones wait. Refusing is cheap, but
 * a connection that is answered at once asks again at once, and thousands of cheap answers in a second leave
 * no time for anybody's. Where too many wait already, the connection is closed without one.
 */
export function paceRefusals(app: FastifyInstance, { refusals }: Pick<Bounds, 'refusals'>): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < firstRefusal) {
      done(null, payload);
      return;
    }
    const sender = request.exchange?.caller?.merchantId ?? addressBlock(request.address);
    void refusals
      .enter(sender, () => isGone({ request, reply }))
      .then((entry) => {
        if (entry === 'entered') refusals.leave(sender);
        if (entry === 'full') request.raw.socket.destroy();
        done(null, payload);
      });
  });
}
