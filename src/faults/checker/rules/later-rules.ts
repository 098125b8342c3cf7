import { type Facts, isForgotten } from '../facts.ts';

/** An event that its merchant asks for again comes again, however long ago it was made. */
export function askedForAgainComesAgain({ record, dump }: Facts): readonly string[] {
  const nameOf = (row: { readonly merchant_id: string; readonly event_id: string }) =>
    `${row.merchant_id} ${row.event_id}`;
  const deliveries = new Map(dump.deliveries.map((row) => [nameOf(row), row]));
  return record.askedAgain
    .filter(({ atMs }) => !isForgotten(record, atMs))
    .flatMap(({ merchantId, eventId, dedupId, isFound, sinceMs }) => {
      const delivery = deliveries.get(`${merchantId} ${eventId}`);
      if (!isFound) {
        // What a restored backup does not hold is not there.
        return delivery === undefined ? [] : [`the event ${eventId} was said not to be there`];
      }
      const hasCome = record.inbox.some(
        (item) =>
          item.merchantId === merchantId && item.dedupId === dedupId && item.atMs >= sinceMs,
      );
      const isGivenUp = delivery?.state === 'exhausted';
      return hasCome || isGivenUp ? [] : [`the event ${eventId} was asked for, and did not come`];
    });
}

/** What a PSP says against the record is seen by a person, also of a payment of long ago. */
export function contradictionsAreSeen({ record, dump }: Facts): readonly string[] {
  const seen = new Set(dump.incidents.map((row) => `${row.merchant_id} ${row.charge}`));
  return record.contradictions
    .filter(({ atMs }) => !isForgotten(record, atMs))
    .filter(({ merchantId, key }) => !seen.has(`${merchantId} ${key}`))
    .map(({ key }) => `a word against the record of ${key} is in no incident`);
}
