import type { Random } from '../../domain/random.ts';

/** What the launcher of the embedded database needs from outside. */
export interface EmbeddedDeps {
  readonly log: {
    info(message: string): void;
    warn(message: string): void;
  };
  readonly random: Random;
}

/** `count` random bytes in hexadecimal. */
export function randomHex(deps: Pick<EmbeddedDeps, 'random'>, count: number): string {
  return Buffer.from(deps.random.bytes(count)).toString('hex');
}
