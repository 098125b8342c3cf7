import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { Exchange } from '../../http/endpoint/exchange.ts';
import { addressBlock } from '../../http/server/address-block.ts';
import { rateLimitHeaders } from '../../http/server/with-rate-limit.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { noteSignIn } from './sign-in-log.ts';
import { maxTries, type WrongTokens } from './wrong-tokens.ts';

/** Counts and notes a wrong token, whichever route it came to; the error that answers it. */
export async function refuseToken(
  deps: Pick<OperatorDeps, 'db' | 'machine' | 'now' | 'log'>,
  wrongTokens: WrongTokens,
  { request, reply, route }: Pick<Exchange, 'request' | 'reply' | 'route'>,
): Promise<AppError> {
  const wrong = wrongTokens.add(addressBlock(request.address), deps.machine.now());
  const { waitSeconds } = wrong;
  if (wrong.isNoted) {
    const detail = { route, count: wrong.count, ...present({ wait_seconds: waitSeconds }) };
    await noteSignIn(deps, { action: 'operator.token_refused', request, detail });
  }
  if (waitSeconds === undefined) {
    return new AppError('operator_unauthorized', 'This is not the operator token.');
  }
  reply.header('retry-after', waitSeconds);
  reply.headers(rateLimitHeaders({ perMinute: maxTries, resetSeconds: waitSeconds }));
  return new AppError('too_many_requests', 'Too many wrong tokens came in the last minute.');
}
