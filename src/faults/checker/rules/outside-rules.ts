import { dayMs } from '../../../domain/clock.ts';
import { type Facts, isOurs, told } from '../facts.ts';

/** Visa: a card is tried again fifteen times in thirty days at most. */
const maxTries = 15;
const triesWithinMs = 30 * dayMs;

/** No card is charged more often than its network allows, or after it was said to be stolen. */
export function networkLimitsHold({ record, dump }: Facts): readonly string[] {
  const ours = record.charges.filter(isOurs);
  // The PSP's list alone told of these after a restored backup, and lists name no reasons.
  const listed = new Set(
    dump.charges
      .filter(({ decline }) => decline?.code === 'listed_as_declined')
      .map((row) => row.idempotency_key),
  );
  return ours.flatMap((charge) => {
    const before = ours.filter(
      (other) => other.methodId === charge.methodId && other.atMs < charge.atMs,
    );
    const recent = before.filter((other) => charge.atMs - other.atMs < triesWithinMs);
    return [
      ...(recent.length > maxTries ? [`${told(charge)} is try ${recent.length + 1}`] : []),
      ...(before.some(({ declineCode, key }) => declineCode === 'stolen' && !listed.has(key))
        ? [`${told(charge)} is of a card that was said to be stolen`]
        : []),
    ];
  });
}

/** What became of a charge is asked at the account that it was sent to. */
export function askedAtItsAccount({ record }: Facts): readonly string[] {
  const sentTo = new Map<string, Set<string>>();
  for (const { psp, key, account } of record.sends) {
    const name = `${psp} ${key}`;
    sentTo.set(name, (sentTo.get(name) ?? new Set()).add(account));
  }
  return record.lookUps.flatMap(({ psp, key, account }) => {
    const accounts = sentTo.get(`${psp} ${key}`);
    if (accounts === undefined || accounts.has(account)) return [];
    return [`the charge ${key} was looked up at ${account}, and sent to ${[...accounts]}`];
  });
}
