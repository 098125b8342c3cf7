import type { SignedIn } from '../../recovery/people/people-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { sameToken } from './same-token.ts';

/** Whose token it is: the one token's holder may do everything, a person what their role says. */
export async function holderOf(
  deps: Pick<OperatorDeps, 'operatorToken' | 'people'>,
  token: string,
): Promise<SignedIn | undefined> {
  if (sameToken(token, deps.operatorToken)) return { role: 'administrator' };
  return await deps.people.findByToken(token);
}
