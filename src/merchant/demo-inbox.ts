/** A verified webhook in a few words: what a merchant would act on. */
export interface ReceivedEvent {
  readonly deduplicationId: string;
  readonly type: string;
  readonly receivedAt: Date;
  /** The event's body, as it was sent. */
  readonly event: Readonly<Record<string, unknown>>;
}

const maxListed = 50;
const maxRemembered = 10_000;

/** What the demo merchant has received: each event once. */
export interface Inbox {
  /** False for an event that is there already. */
  add(received: ReceivedEvent): boolean;
  /** The latest first. */
  last(): readonly ReceivedEvent[];
}

/** An inbox that lists the last 50 events and remembers the ids of the last 10,000. */
export function createInbox(): Inbox {
  const seen = new Set<string>();
  const received: ReceivedEvent[] = [];
  return {
    add: (event) => {
      if (seen.has(event.deduplicationId)) return false;
      seen.add(event.deduplicationId);
      const [oldest] = seen;
      if (seen.size > maxRemembered && oldest !== undefined) seen.delete(oldest);
      received.unshift(event);
      received.splice(maxListed);
      return true;
    },
    last: () => received,
  };
}
