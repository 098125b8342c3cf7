import { AsyncLocalStorage } from 'node:async_hooks';

/** Who does what is done now, and from where: what every line of the audit log says of a request. */
export interface Acting {
  /** `operator` for the one token, `merchant`, or the id of an operator. */
  readonly actor: string;
  /** The address that the request came from. */
  readonly address: string;
}

const acting = new AsyncLocalStorage<Acting>();

/**
 * Runs a request as somebody's. It is the one thing of a request that is not passed on by parameters:
 * a use case does not depend on who asks, and no way to the audit log may forget it.
 */
export function actAs<Result>(who: Acting, work: () => Result): Result {
  return acting.run(who, work);
}

/** Undefined outside of any request: the service itself is at work. */
export function whoActs(): Acting | undefined {
  return acting.getStore();
}
