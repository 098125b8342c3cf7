import { createHmac, hkdfSync } from 'node:crypto';
import { addMs, hourMs, minuteMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { PortalVisit, SignedIn } from '../../recovery/people/people-api.ts';
import type { PortalPass } from '../../recovery/people/portal-api.ts';
import {
  endOperatorSession,
  findOperatorSession,
  openOperatorSession,
} from '../../store/admin/operator-sessions.ts';
import {
  endPortalSession,
  findPortalSession,
  openPortalSession,
} from '../../store/people/portal-sessions.ts';
import type { OperatorDeps } from '../operator-deps.ts';

/** A working day: whoever comes back the next morning signs in again. */
const sessionMs = 12 * hourMs;
/** So far a clock may be set back, or another process's be ahead, without signing anybody out. */
const slackMs = minuteMs;
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

/** The same for portals, whose sessions are no operator's: nothing takes one for the other. */
export interface PortalSessions {
  /** It ends with the link, or after a day's work; undefined where the link was revoked meanwhile. */
  open(pass: PortalPass): Promise<Session | undefined>;
  whose(value: string): Promise<PortalVisit | undefined>;
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
  const hashOf = hasherOf(deps.operatorToken, 'recoup operator session');
  return {
    async open({ operatorId, tokenId }) {
      const at = machine.now();
      const expiresAt = addMs(at, sessionMs);
      const value = newValue(random);
      await openOperatorSession(db, {
        valueHash: hashOf(value),
        at,
        expiresAt,
        ...present({ operatorId, tokenId }),
      });
      return { value, expiresAt };
    },
    async whose(value) {
      if (!isValue(value)) return undefined;
      return await findOperatorSession(db, { valueHash: hashOf(value), ...timesOf(machine.now()) });
    },
    async end(value) {
      if (isValue(value)) await endOperatorSession(db, hashOf(value));
    },
  };
}

export function createPortalSessions(
  deps: Pick<OperatorDeps, 'db' | 'operatorToken' | 'machine' | 'now' | 'random'>,
): PortalSessions {
  const { db, machine, random } = deps;
  const hashOf = hasherOf(deps.operatorToken, 'recoup portal session');
  return {
    async open(pass) {
      const at = machine.now();
      const expiresAt = pass.kind === 'link' ? pass.link.expiresAt : addMs(at, sessionMs);
      const value = newValue(random);
      const isOpen = await openPortalSession(db, { valueHash: hashOf(value), pass, at, expiresAt });
      return isOpen ? { value, expiresAt } : undefined;
    },
    async whose(value) {
      if (!isValue(value)) return undefined;
      const times = { ...timesOf(machine.now()), serviceNow: deps.now() };
      return await findPortalSession(db, { valueHash: hashOf(value), ...times });
    },
    async end(value) {
      if (isValue(value)) await endPortalSession(db, hashOf(value));
    },
  };
}

function timesOf(at: Date) {
  return { at, begunBy: addMs(at, slackMs) };
}

function hasherOf(operatorToken: string, use: string): (value: string) => Uint8Array {
  const key = new Uint8Array(hkdfSync('sha256', operatorToken, '', use, 32));
  return (value) => createHmac('sha256', key).update(value).digest();
}

function newValue(random: Random): string {
  return Buffer.from(random.bytes(valueBytes)).toString('base64url');
}

function isValue(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
