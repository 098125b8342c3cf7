import { minuteMs } from '../../domain/clock.ts';
import type { MailOutcome } from './message-ports.ts';

/** Longer than any send takes: each step of it has the time-out of webhooks. */
export const sendLeaseMs = 5 * minuteMs;
/** Sends at once: a mail server takes few connections of one client. */
export const sendsTogether = 4;
/** So many sends without a known answer, and a message is not sent again. */
export const maxUnanswered = 2;
/** What is known of such a message. */
export const bothLost = {
  kind: 'unclear',
  detail: 'The answers to both sends were lost.',
} as const;

/** What a server does not take is tried again after a quarter of an hour, then twice as long each time. */
const firstRetryMs = 15 * minuteMs;
const maxTries = 6;

/** How long after its `tries`-th send a message is sent again; undefined where it is not. */
export function againAfterMs(outcome: MailOutcome, tries: number): number | undefined {
  const mayPass = outcome.kind === 'later' || outcome.kind === 'unclear';
  return mayPass && tries < maxTries ? firstRetryMs * 2 ** (tries - 1) : undefined;
}
