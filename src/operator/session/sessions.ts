import { createHmac, hkdfSync } from 'node:crypto';
import { addMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { SignedIn } from '../../recovery/people/people-api.ts';
import {
  endOperatorSession,
  findOperatorSession,
  openOperatorSession,
} from '../../store/admin/operator-sessions.ts';
import type { OperatorDeps } from '../operator-deps.ts';

/** A working day: whoever comes back the next morning signs in again. */
const sessionMs = 12 * hourMs;
const valueBytes = 32;

/** What a browser is given in place of the operator token. */
export interface Session {
  /** The cookie's value: random, and known to nobody but the browser. */
  readonly value: string;
  readonly expiresAt: Date;
}

export interface Sessions {
  open(holder: SignedIn): Promise<Session>;
  /** Whose session it is; undefined for one that has ended or is not ours. */
  whose(value: string): Promise<SignedIn | undefined>;
  /** From then on the value is nothing, in every process. */
  end(value: string): Promise<void>;
}

/**
 * Sessions are rows that every process sees, under a hash whose key is derived from the operator
 * token, so that a new token ends them all. They end by the database's clock: moving the sandbox's by
 * a month must sign nobody out.
 */
export function createSessions(
  deps: Pick<OperatorDeps, 'db' | 'operatorToken' | 'machine' | 'random'>,
): Sessions {
  const { db, machine, random } = deps;
  const key = new Uint8Array(
    hkdfSync('sha256', deps.operatorToken, '', 'recoup operator session', 32),
  );
  const hashOf = (value: string) => createHmac('sha256', key).update(value).digest();
  return {
    async open({ operatorId }) {
      const at = machine.now();
      const expiresAt = addMs(at, sessionMs);
      const value = Buffer.from(random.bytes(valueBytes)).toString('base64url');
      await openOperatorSession(db, {
        valueHash: hashOf(value),
        at,
        expiresAt,
        ...present({ operatorId }),
      });
      return { value, expiresAt };
    },
    async whose(value) {
      if (!isValue(value)) return undefined;
      return await findOperatorSession(db, { valueHash: hashOf(value), at: machine.now() });
    },
    async end(value) {
      if (isValue(value)) await endOperatorSession(db, hashOf(value));
    },
  };
}

function isValue(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
