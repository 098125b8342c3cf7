import { dayMs, hourMs, minuteMs, secondMs } from './clock.ts';

/** Every limit of the project that is not a setting, with its reason. */
export const limits = {
  /** Largest body that the APIs read: each documented request fits many times over. */
  requestBodyBytes: 64 * 1024,
  /** Largest report of a PSP: some ten thousand payments, each with a row for each of its states. */
  reportBytes: 4 * 1024 * 1024,
  /**
   * Largest webhook of a PSP that is read. They carry whole objects of the PSP's: a Stripe invoice
   * of hundreds of lines, a batch of notifications. What is longer is none that a PSP sends.
   */
  pspWebhookBytes: 1024 * 1024,
  /** Deepest nesting of a request body; the documented ones need five levels. */
  requestBodyDepth: 32,
  /** Longest id of any party; the longest among PSPs is below 128. */
  idLength: 255,
  /**
   * Longest user agent of an analytics record: browsers' have below 300 characters, those of apps
   * below 1000.
   */
  userAgentLength: 2048,
  /**
   * Analytics records in one batch and its bytes: some seconds of work on one connection, so that
   * little is sent again when it breaks; 1.6 KiB a row is four times what a full one has.
   */
  batchRows: 10_000,
  batchBytes: 16 * 1024 * 1024,
  /** Longest free text of a PSP or an issuer that is kept. */
  messageLength: 500,
  /** Largest `custom` object in bytes of JSON, since it travels with every call and event. */
  customBytes: 16 * 1024,
  /** Transactions in one payment event: one for each method of a retry strategy. */
  transactionsPerPayment: 20,
  /** Payment methods tried in one attempt: the merchant's own order, cut here. */
  methodsPerAttempt: 10,
  /**
   * Largest body read from a merchant's server, and all bytes of an answer with its head, its chunks' framing and what
   * else lies around the body: a body in chunks of one byte each takes six times its size.
   */
  merchantAnswerBytes: 64 * 1024,
  merchantAnswerRawBytes: 1024 * 1024,
  /**
   * How long after an update of a method what a PSP's webhook tells of it counts as the same change: two events of the
   * PSP and the merchant's own report often tell of one within seconds.
   */
  sameUpdateMs: minuteMs,
  /** Redelivery of a webhook: every 12 hours for 7 days after the first try. */
  redeliveryIntervalMs: 12 * hourMs,
  redeliveryWindowMs: 7 * dayMs,
  /** Read of an answer that did not acknowledge a webhook, in bytes, and kept of it, in characters. */
  answerExcerptBytes: 8 * 1024,
  answerExcerptLength: 1000,
  /** How long an Idempotency-Key is remembered. */
  idempotencyKeyMs: dayMs,
  /**
   * How long applied requests, the log of webhook sends, what was answered to the last one, and the notes of PSPs' events are kept.
   * They explain how something came to pass: three times the recovery window, so that a month's
   * statement can still be looked into the month after. In cards' histories it is how long plain
   * declines are, and approvals but for a card's last: nearly three times the longest window of a
   * network's rule, and longer than any recovery. Payments, attempts, charges, events and deliveries are kept, in the archive once they are old.
   */
  historyMs: 90 * dayMs,
  /** Items of one page of a list: default and most. */
  pageDefault: 50,
  maxPageSize: 200,
} as const;

/** Redeliveries after the first try: one each interval up to the window's end. */
export const maxRedeliveries = limits.redeliveryWindowMs / limits.redeliveryIntervalMs;

/**
 * Waits before the quick sends of a webhook, for endpoints that ask for them: a server that is restarted is
 * back within seconds or minutes, a faulty release within an hour. The interface's 12 hours follow.
 */
export const quickSendWaitsMs: readonly number[] = [5 * secondMs, minuteMs, 10 * minuteMs, hourMs];

/**
 * Waits after a merchant's server gave no usable answer to the final check. The check is cheap and
 * no charge was made, so the first comes soon; the last is repeated until the window ends.
 */
export const checkBackoffMs: readonly number[] = [
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
];

/** The longest Retry-After of a merchant that is honoured as it stands. */
export const maxRetryAfterMs = dayMs;

/**
 * Waits between look-ups of a charge whose answer was lost. The whole ladder stays inside a day,
 * the shortest memory of an idempotency key among the PSPs (Stripe and Checkout.com: 24 hours).
 */
export const resolveBackoffMs: readonly number[] = [
  2 * secondMs,
  10 * secondMs,
  minuteMs,
  10 * minuteMs,
  hourMs,
  4 * hourMs,
  12 * hourMs,
];

/**
 * After that ladder a person is asked for, and the PSP once a day still, for a month: one that was
 * away for longer than the ladder answers when it is back.
 */
const dailyLookUps = 30;

/** The wait before the look-up after so many; undefined: the PSP is asked no more. */
export function resolveWaitMs(lookUps: number): number | undefined {
  const ladderMs = resolveBackoffMs[lookUps];
  if (ladderMs !== undefined) return ladderMs;
  return lookUps < resolveBackoffMs.length + dailyLookUps ? dayMs : undefined;
}

/** After so many look-ups without an answer a person is asked for. */
export const lookUpsOfLadder = resolveBackoffMs.length;

/**
 * Waits before a charge is tried again that the PSP never took (it was down, or refused our
 * credentials): nothing reached the issuer, so this spends none of a network's allowance.
 */
export const technicalBackoffMs: readonly number[] = [
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
];

/**
 * Tries of a payment in a row that reach no PSP (the merchant's server gives no usable answer, the
 * PSP is away or takes nothing) before it is set aside for a person. The waits above add up to four
 * days: an outage over a long weekend heals by itself, and what lasts longer nobody has noticed.
 */
export const maxUnreachedTries = 20;

/**
 * Waits after work on a row threw, each longer than the one before; after the last it is set aside.
 * A fault that passes, such as a deadlock, is over with the first; three hours are enough for a new
 * version to be taken back.
 */
export const failureBackoffMs: readonly number[] = [
  10 * secondMs,
  minuteMs,
  10 * minuteMs,
  3 * hourMs,
];
