import type { Clock } from '../domain/clock.ts';
import { leftOfWait, minuteMs, secondMs } from '../domain/clock.ts';

export type Admission =
  | { readonly kind: 'ask' }
  /** It is not to be asked before so many milliseconds. */
  | { readonly kind: 'open'; readonly leftMs: number };

interface Circuit {
  failures: number;
  openUntilMs: number;
  openMs: number;
  /** Ends when the one call that tries a server again does. */
  probe?: Promise<void>;
  endProbe?: () => void;
}

/** Calls in a row without an answer, after which a server is left alone for a while. */
const maxFailures = 5;
const firstOpenMs = 10 * secondMs;
const maxOpenMs = minuteMs;
/** Servers that are remembered: those that answered are not. */
const maxCircuits = 10_000;

/**
 * Leaves servers alone that give no answer: after five calls in a row for ten seconds, after each further one for
 * twice as long, up to a minute. Then one call tries it, and those that are due meanwhile wait for how it ends.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** After `ask`, `ended` has to be called once. */
  async admit(server: string): Promise<Admission> {
    for (;;) {
      const circuit = this.#circuits.get(server);
      if (circuit === undefined || circuit.failures < maxFailures) return { kind: 'ask' };
      const leftMs = leftOf(circuit, this.#clock.now().getTime());
      if (leftMs > 0) return { kind: 'open', leftMs };
      if (circuit.probe === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>();
        circuit.probe = promise;
        circuit.endProbe = resolve;
        return { kind: 'ask' };
      }
      await circuit.probe;
    }
  }

  ended(server: string, hasAnswered: boolean): void {
    const circuit = this.#circuits.get(server);
    if (hasAnswered) {
      this.#circuits.delete(server);
      circuit?.endProbe?.();
      return;
    }
    if (circuit === undefined) {
      if (this.#circuits.size >= maxCircuits) this.#circuits.clear();
      this.#circuits.set(server, { failures: 1, openUntilMs: 0, openMs: firstOpenMs });
      return;
    }
    circuit.failures += 1;
    // Calls that were on their way when it opened do not keep it open for longer.
    const nowMs = this.#clock.now().getTime();
    if (circuit.failures >= maxFailures && leftOf(circuit, nowMs) === 0) {
      circuit.openUntilMs = nowMs + circuit.openMs;
      circuit.openMs = Math.min(maxOpenMs, 2 * circuit.openMs);
    }
    const { endProbe } = circuit;
    delete circuit.probe;
    delete circuit.endProbe;
    endProbe?.();
  }
}

function leftOf({ openUntilMs }: Circuit, nowMs: number): number {
  return leftOfWait({ endsAtMs: openUntilMs, mostMs: maxOpenMs }, nowMs);
}
