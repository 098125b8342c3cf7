import type { Decline } from '../../domain/declines/decline.ts';

/** A decline in a line: the network's code or the PSP's, the PSP's words, the advice. */
export function declineText(decline: Decline): string {
  const code = decline.networkCode ?? decline.code;
  const { message } = decline;
  const text =
    message === undefined ? code : message.startsWith(code) ? message : `${code} ${message}`;
  return decline.adviceCode === undefined ? text : `${text}, advice ${decline.adviceCode}`;
}
