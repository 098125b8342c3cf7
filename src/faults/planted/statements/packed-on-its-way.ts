import { inStatement, type Planted } from '../planted.ts';

export const packedOnItsWay: Planted = {
  name: 'packed-on-its-way',
  what: 'a payment is packed although one of its events is still on its way',
  // Merchants that take no event for long, so that tries of it lie further apart than a payment rests.
  change: (swarm) => ({
    ...swarm,
    manners: swarm.manners.map((manners) => ({ ...manners, deaf: 0.9 })),
  }),
  ...inStatement('read_payments_to_archive', `d.state = 'pending' or `, ''),
};
