import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { addMs, type Clock, hourMs } from '../../domain/clock.ts';

/** A working day: whoever comes back the next morning signs in again. */
const sessionMs = 12 * hourMs;

/** What a browser is given in place of the operator token. */
export interface Session {
  /** The cookie's value: when it ends, and the proof that we said so. */
  readonly value: string;
  readonly expiresAt: Date;
}

export interface Sessions {
  issue(): Session;
  /** When the session of this value ends; undefined for one that has ended or is not ours. */
  validUntil(value: string): Date | undefined;
}

/**
 * Sessions that nothing has to remember: an instant, sealed under a key that is derived from the
 * operator token, so that a new token ends them all. They end by the machine's clock: moving the
 * sandbox's by a month must sign nobody out.
 */
export function createSessions(input: {
  readonly operatorToken: string;
  readonly machine: Clock;
}): Sessions {
  const { operatorToken, machine } = input;
  const key = new Uint8Array(hkdfSync('sha256', operatorToken, '', 'recoup operator session', 32));
  const seal = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    issue() {
      const expiresAt = addMs(machine.now(), sessionMs);
      const text = expiresAt.getTime().toString(36);
      return { value: `${text}.${seal(text).toString('base64url')}`, expiresAt };
    },
    validUntil(value) {
      const [, text, proof] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(value) ?? [];
      if (text === undefined || proof === undefined) return undefined;
      const given = Buffer.from(proof, 'base64url');
      const expected = seal(text);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const expiresAt = new Date(Number.parseInt(text, 36));
      return expiresAt.getTime() > machine.now().getTime() ? expiresAt : undefined;
    },
  };
}
