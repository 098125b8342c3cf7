import type { Clock } from '../../domain/clock.ts';
import type { PspAccount } from '../../psp/adapter.ts';
import { type SendGate, sendThrough } from '../../psp/send-gate.ts';

export interface SendInTimeDeps {
  /** The engine's time. */
  readonly clock: Clock;
  readonly wall: Clock;
  /** Rises with each jump of the machine's time. */
  readonly time: { epoch(): number };
}

/**
 * An account whose charges are written to a socket by the time that the engine gave, or not at all: by
 * its own clock, by the machine's, and in the epoch in which the call began.
 */
export function sendInTime(deps: SendInTimeDeps, account: PspAccount): PspAccount {
  return {
    ...account,
    charge(request) {
      const { sendBy } = request;
      if (sendBy === undefined) return account.charge(request);
      return sendThrough(gateUntil(deps, sendBy), () => account.charge(request));
    },
  };
}

function gateUntil({ clock, wall, time }: SendInTimeDeps, sendBy: Date): SendGate {
  const epoch = time.epoch();
  const leftMs = sendBy.getTime() - clock.now().getTime();
  const wallByMs = wall.now().getTime() + leftMs;
  return {
    closedBecause() {
      if (time.epoch() !== epoch) return 'the time of the machine jumped before it was written';
      const isLate = clock.now().getTime() > sendBy.getTime() || wall.now().getTime() > wallByMs;
      return isLate ? 'the process was held up and wrote nothing' : undefined;
    },
  };
}
