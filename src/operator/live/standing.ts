import { secondMs } from '../../domain/clock.ts';
import { errorForLog } from '../../http/server/error-for-log.ts';
import type { SignedIn } from '../../recovery/people/people-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { OperatorCaller } from '../session/authorize.ts';

/** What another process did is seen so late at most. */
const everyMs = 2 * secondMs;

interface Watched {
  readonly caller: OperatorCaller;
  readonly end: () => void;
}

/** Answers that go on for long, and end when whoever asked may not ask any more. */
export interface Standing {
  /** Calls `end` once the caller's session or token is none any more, or lets them do something else. */
  watch(caller: OperatorCaller, end: () => void): { stop(): void };
  /** Looks now: something was changed here. */
  look(): Promise<void>;
}

export function createStanding(deps: Pick<OperatorDeps, 'log'>): Standing {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    await Promise.all([...watched].map(lookAt));
  }

  async function lookAt(one: Watched): Promise<void> {
    try {
      const now = await one.caller.stillIs();
      if (now === undefined || !isSame(now, one.caller)) one.end();
    } catch (error) {
      // A database that is away says nothing of anybody; it is asked again.
      deps.log.debug({ error: errorForLog(error) }, 'who listens could not be looked up');
    }
  }

  return {
    watch(caller, end) {
      const one = { caller, end };
      watched.add(one);
      timer ??= setInterval(() => void look(), everyMs).unref();
      return {
        stop() {
          watched.delete(one);
          if (watched.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    look,
  };
}

function isSame(now: SignedIn, before: SignedIn): boolean {
  return (
    now.operatorId === before.operatorId &&
    now.role === before.role &&
    (now.portal === undefined) === (before.portal === undefined) &&
    now.merchants?.toSorted().join() === before.merchants?.toSorted().join()
  );
}
