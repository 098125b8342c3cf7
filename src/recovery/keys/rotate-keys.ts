import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { KeyRotation, RotationStore } from './key-ports.ts';
import { showKeys } from './show-keys.ts';

export interface RotateKeysDeps {
  readonly rotations: RotationStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The keys of this process. */
  readonly known: { readonly keyId: string; readonly others: readonly string[] };
  requestRotation(rotationId: string): Promise<void>;
}

/**
 * Has everything that is wrapped wrapped by the present key, in the background. What no key of this
 * process opens is said at once: a worker would only meet it later.
 */
export async function rotateKeys(
  deps: RotateKeysDeps,
  { newDataKeys }: { readonly newDataKeys: boolean },
): Promise<KeyRotation> {
  const { rotations, clock, random, known } = deps;
  const { keys } = await showKeys({ rotations }, known);
  const unknown = keys.find(({ use }) => use === 'unknown');
  if (unknown !== undefined) {
    throw new AppError(
      'conflict',
      `${unknown.wraps} keys are wrapped by ${unknown.keyId}, which this service does not know: list it in OTHER_ENCRYPTION_KEYS.`,
    );
  }
  const rotationId = newId(random, 'rot');
  const rotation = await rotations.begin({
    rotationId,
    keyId: known.keyId,
    newDataKeys,
    at: clock.now(),
  });
  await deps.requestRotation(rotation.rotationId);
  return rotation;
}
