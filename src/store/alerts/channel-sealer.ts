import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import type { Random } from '../../domain/random.ts';
import type { ChannelTarget } from '../../recovery/alerts/alert-ports.ts';
import type { Queryable } from '../database.ts';
import { decrypt, encrypt } from '../sealing/cipher.ts';
import type { KeyProvider } from '../sealing/key-provider.ts';
import { openServiceKey } from '../sealing/service-key.ts';

/** Seals where channels send to, under a key of the service that a rotation wraps anew like the others. */
export interface ChannelSealer {
  seal(channelId: string, target: ChannelTarget): Promise<Uint8Array>;
  /** @throws AppError encryption_key_wrong */
  open(channelId: string, sealed: Uint8Array): Promise<ChannelTarget>;
}

const keyBytes = 32;

export function createChannelSealer(deps: {
  readonly db: Queryable;
  readonly keys: KeyProvider;
  readonly random: Random;
  readonly clock: Clock;
}): ChannelSealer {
  const { random, clock } = deps;
  let known: Promise<Uint8Array> | undefined;

  function key(): Promise<Uint8Array> {
    known ??= openServiceKey(deps, {
      use: 'seal alert channels, v1',
      first: async () => random.bytes(keyBytes),
      at: clock.now(),
    }).catch((error: unknown) => {
      // Asked for again: a database that was away is there later.
      known = undefined;
      throw error;
    });
    return known;
  }

  return {
    async seal(channelId, target) {
      const plain = Buffer.from(JSON.stringify(target));
      return encrypt(random, { key: await key(), context: contextOf(channelId), plain });
    },
    async open(channelId, sealed) {
      const plain = decrypt({ key: await key(), context: contextOf(channelId), sealed });
      if (plain === undefined) {
        throw new AppError('encryption_key_wrong', `The channel ${channelId} does not open.`);
      }
      return JSON.parse(Buffer.from(plain).toString('utf8')) as ChannelTarget;
    },
  };
}

function contextOf(channelId: string): string {
  return JSON.stringify(['alert_channels', channelId]);
}
