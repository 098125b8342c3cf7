import type { Clock } from '../../../domain/clock.ts';
import type { Stage } from '../../endpoint/exchange.ts';
import { detailAnswer } from '../answers.ts';
import type { DisputesCaller } from '../caller.ts';
import type { FailedTries } from './failed-tries.ts';
import { readBasic } from './read-basic.ts';

export interface BasicGateDeps {
  /** Whether this is a valid password of the merchant. */
  authenticate(merchantId: string, password: string): Promise<boolean>;
  readonly failedTries: FailedTries;
  readonly clock: Clock;
}

/** The same words for every reason: which part was wrong is nobody's to know. */
const notAuthenticated = detailAnswer(401, 'Not authenticated', {
  'www-authenticate': 'Basic',
});

function tooManyTries(waitSeconds: number) {
  const detail = `Too many failed tries. Try again in ${waitSeconds} s.`;
  return detailAnswer(429, detail, { 'retry-after': waitSeconds.toString() });
}

/** Lets a request with valid credentials pass, before its body is read. */
export function basicGate(deps: BasicGateDeps): Stage<DisputesCaller> {
  return async (exchange, next) => {
    const { request } = exchange;
    const credentials = readBasic(request.raw.headers.authorization);
    if (credentials === undefined) return notAuthenticated;
    const source = request.socket.remoteAddress ?? '';
    const waitSeconds = deps.failedTries.waitSeconds(source, credentials, deps.clock.now());
    if (waitSeconds !== undefined) return tooManyTries(waitSeconds);
    if (!(await deps.authenticate(credentials.username, credentials.password))) {
      deps.failedTries.failed(source, credentials, deps.clock.now());
      return notAuthenticated;
    }
    deps.failedTries.succeeded(credentials);
    exchange.caller = { merchantId: credentials.username };
    return next();
  };
}
