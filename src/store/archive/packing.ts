import type { Statement } from '../database.ts';

/** From here on rows that go or come are no webhooks that were made or lost: no total counts them. */
export const packingBegins: Statement = {
  name: 'packing_begins',
  text: "select set_config('recoup.archiving', 'on', true)",
};

/** For what else the transaction does; where that is nothing, its end says so. */
export const packingEnds: Statement = {
  name: 'packing_ends',
  text: "select set_config('recoup.archiving', 'off', true)",
};
