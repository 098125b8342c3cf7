import type { CredentialScope } from '../../../domain/access/scopes.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Strangers } from '../../bounds/strangers.ts';
import { senderIsGone } from '../../bounds/work-in-lane.ts';
import type { Stage } from '../../endpoint/exchange.ts';
import { isGone } from '../../endpoint/is-gone.ts';
import { withRateLimit } from '../../server/with-rate-limit.ts';
import { detailAnswer, tooManyRequests } from '../answers.ts';
import type { DisputesCaller } from '../caller.ts';
import { type FailedTries, maxTries } from './failed-tries.ts';
import { readBasic } from './read-basic.ts';

export interface BasicGateDeps {
  /** What this password of the merchant is for; undefined where it is not a valid one. */
  authenticate(
    merchantId: string,
    password: string,
  ): Promise<readonly CredentialScope[] | undefined>;
  readonly failedTries: FailedTries;
  readonly strangers: Strangers;
  readonly clock: Clock;
}

/** The same words for every reason: which part was wrong is nobody's to know. */
const notAuthenticated = detailAnswer(401, 'Not authenticated', {
  'www-authenticate': 'Basic',
});

function tooManyTries(waitSeconds: number) {
  const detail = `Too many failed tries. Try again in ${waitSeconds} s.`;
  const answer = detailAnswer(429, detail, { 'retry-after': waitSeconds.toString() });
  return withRateLimit(answer, { perMinute: maxTries, resetSeconds: waitSeconds });
}

/** Lets a request with valid credentials pass, before its body is read. */
export function basicGate(deps: BasicGateDeps): Stage<DisputesCaller> {
  const { failedTries, strangers, clock } = deps;
  return async (exchange, next) => {
    const { request, reply } = exchange;
    const credentials = readBasic(request.raw.headers.authorization);
    if (credentials === undefined) return notAuthenticated;
    const waitSeconds = failedTries.waitSeconds(request.address, credentials, clock.now());
    if (waitSeconds !== undefined) return tooManyTries(waitSeconds);
    const { username, password } = credentials;
    const proof = `${username}:${password}`;
    const gone = () => isGone({ request, reply });
    const entry = await strangers.enter({ address: request.address, proof, isGone: gone });
    if (entry === 'gone') return senderIsGone;
    if (entry === 'full') return strangers.refused(tooManyRequests);
    const scopes = await deps.authenticate(username, password).finally(() => {
      if (entry === 'entered') strangers.leave(request.address);
    });
    if (scopes === undefined) {
      strangers.disproved(proof);
      failedTries.failed(request.address, credentials, clock.now());
      return notAuthenticated;
    }
    if (entry === 'entered') strangers.proved(proof);
    failedTries.succeeded(credentials);
    exchange.caller = { merchantId: username, scopes };
    return next();
  };
}
