import type { AppContext } from '../../app/context.ts';
import type { Engine } from '../../app/engine.ts';
import type { PspAccount } from '../../psp/adapter.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { MerchantClient } from '../../recovery/merchant-ports.ts';
import type { SentStatement } from '../database/real-connections.ts';
import type { Swarm } from '../world/swarm.ts';

/**
 * A bug that is put into the service from outside, at one of its ports or in the text of one of its
 * statements, to prove that the checker sees it. The service has no switch for any of them.
 */
export interface Planted {
  readonly name: string;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** Makes the faults likelier that show it; the run without the bug that it is compared with has them too. */
  readonly change?: (swarm: Swarm) => Swarm;
  readonly context?: (context: AppContext) => AppContext;
  readonly account?: (account: PspAccount, context: AppContext) => PspAccount;
  readonly client?: (client: MerchantClient, context: AppContext) => MerchantClient;
  readonly recovery?: (recovery: RecoveryApi) => RecoveryApi;
  readonly engine?: (deps: Engine['deps']) => Partial<Engine['deps']>;
  /** Another text of a statement; undefined leaves it as it is. */
  readonly statement?: (statement: SentStatement) => string | undefined;
}

/** A statement of this name with one part of its text exchanged. */
export function inStatement(
  name: string,
  part: string,
  by: string,
): Pick<Required<Planted>, 'statement'> {
  return {
    statement(statement) {
      if (statement.name !== name) return undefined;
      if (!statement.text.includes(part)) throw new Error(`${name} has no such part: ${part}`);
      return statement.text.replace(part, by);
    },
  };
}
