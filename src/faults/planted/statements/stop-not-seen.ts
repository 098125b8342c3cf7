import { inStatement, type Planted } from '../planted.ts';

export const stopNotSeen: Planted = {
  name: 'stop-not-seen',
  what: 'a charge is begun although a stop was asked for',
  change: (swarm) => ({
    ...swarm,
    stopsWhenAsked: 1,
    http: { ...swarm.http, slowMs: 4_000 },
  }),
  ...inStatement('begin_charges', ' and h.stop_reason is null', ''),
};
