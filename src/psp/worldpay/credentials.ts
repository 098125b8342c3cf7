import type { PspCredentialField } from '../../recovery/operator-api.ts';
import type { PspIdentity } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';

export const worldpayCredentials: readonly PspCredentialField[] = [
  {
    name: 'username',
    label: 'User name',
    required: true,
    secret: false,
    meaning:
      'The user name of your Access Worldpay credentials; your implementation manager has it.',
  },
  {
    name: 'password',
    label: 'Password',
    required: true,
    secret: true,
    meaning: 'The password of the same credentials.',
  },
  {
    name: 'entity',
    label: 'Entity',
    required: true,
    secret: false,
    meaning: 'The entity that payments are billed to, as Worldpay boarded it.',
  },
  {
    name: 'environment',
    label: 'Environment',
    required: false,
    secret: false,
    meaning: 'test (try.access.worldpay.com) or live (access.worldpay.com). Default test.',
  },
  {
    name: 'narrative',
    label: 'Narrative',
    required: false,
    secret: false,
    meaning:
      "What the cardholder's statement says: at most 24 letters, digits, blanks and , . / -. Default: the entity.",
  },
  {
    name: 'webhook_secret',
    label: 'Event signature secret',
    required: false,
    secret: true,
    meaning:
      'The shared secret of the Event-Signature header, which your implementation manager switches on; while it is being changed both, separated by a space. Without it no webhook is taken.',
  },
];

/** The account that a connection's credentials name. */
export interface WorldpayAccount {
  readonly username: string;
  readonly password: string;
  readonly entity: string;
  readonly environment: 'test' | 'live';
  readonly narrative: string;
  readonly webhookSecrets: readonly string[];
}

/** `fault` says in a sentence what is wrong with the credentials; it repeats none. */
export type ReadAccount =
  | { readonly kind: 'account'; readonly account: WorldpayAccount }
  | { readonly kind: 'fault'; readonly reason: string };

const narrativeLength = 24;

/** Reads a connection's credentials; a wrong one is said before anything is sent to Worldpay. */
export function readWorldpayAccount(credentials: PspCredentials): ReadAccount {
  const { username, password, entity, webhook_secret: secrets = '' } = credentials;
  if (!username || !password) return fault('username or password is missing.');
  if (!entity || !/^[A-Za-z0-9][A-Za-z0-9 ]{0,31}$/.test(entity)) {
    return fault('entity is missing, or is more than 32 letters, digits and blanks.');
  }
  const environment = credentials.environment || 'test';
  if (environment !== 'test' && environment !== 'live') {
    return fault('environment is neither test nor live.');
  }
  const narrative = credentials.narrative || entity.slice(0, narrativeLength);
  if (!/^[A-Za-z0-9 ,./-]{1,24}$/.test(narrative)) {
    return fault('narrative is more than 24 letters, digits, blanks and , . / -.');
  }
  const webhookSecrets = secrets.split(/\s+/).filter((secret) => secret !== '');
  return {
    kind: 'account',
    account: { username, password, entity, environment, narrative, webhookSecrets },
  };
}

function fault(reason: string): ReadAccount {
  return { kind: 'fault', reason };
}

/** An entity's name is its merchant's own (many have `default`): with the user name it is one account. */
export function worldpayIdentity(account: WorldpayAccount): PspIdentity {
  const { username, entity, environment } = account;
  return { accountId: `${username}/${entity}`, mode: environment };
}
