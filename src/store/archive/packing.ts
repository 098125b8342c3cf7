import type { Statement } from '../database.ts';

/** Until the transaction ends, or packing does, rows that go or come are no webhooks that were made or lost: no total counts them. */
export const packingBegins: Statement = {
  name: 'packing_begins',
  text: "select set_config('recoup.archiving', 'on', true)",
};

/** For what a transaction does besides. */
export const packingEnds: Statement = {
  name: 'packing_ends',
  text: "select set_config('recoup.archiving', 'off', true)",
};
