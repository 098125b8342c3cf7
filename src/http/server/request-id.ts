import { holdsCardNumber } from '../../domain/cards/card-numbers.ts';

const sane = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id of a request: the caller's own where it can stand in a header and a log line as it is. */
export function requestIdOf(header: string | string[] | undefined, newUuid: () => string): string {
  const isTaken = typeof header === 'string' && sane.test(header) && !holdsCardNumber(header);
  return isTaken ? header : newUuid();
}
