import { type CredentialScope, missingScope } from '../../domain/access/scopes.ts';
import { invariant } from '../../domain/errors.ts';
import type { Answer } from '../server/answer.ts';
import type { AnyCaller, Stage } from './exchange.ts';

/** A caller whose key may be for less than everything. */
export interface ScopedCaller extends AnyCaller {
  readonly scopes: readonly CredentialScope[];
}

/** The stage that lets a key do what it was issued for, before a body is read. */
export function requireScope<Sender extends ScopedCaller>(
  refuse: (because: string) => Answer,
): Stage<Sender> {
  return async ({ caller, endpoint }, next) => {
    invariant(caller !== undefined, 'whose key it is is known by now');
    invariant(endpoint.scope !== undefined, 'an endpoint behind a key says what the key is for');
    const because = missingScope(caller.scopes, endpoint.scope);
    return because === undefined ? next() : refuse(because);
  };
}
