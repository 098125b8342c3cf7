import type { KeysApi } from '../../recovery/keys/key-ports.ts';
import { rotateKeys } from '../../recovery/keys/rotate-keys.ts';
import { showKeys } from '../../recovery/keys/show-keys.ts';
import { createRotationStore } from '../../store/sealing/rotation-store.ts';
import type { Sealer } from '../../store/sealing/sealer.ts';
import type { AppContext } from '../context.ts';

/** What operators ask of the wrapping keys. */
export function createKeysApi(
  context: AppContext,
  parts: {
    readonly sealer: Sealer;
    readonly jobs: { requestRotation(rotationId: string): Promise<void> };
  },
): KeysApi {
  const { db, keys, clock, random } = context;
  const rotations = createRotationStore({ db, keys, sealer: parts.sealer });
  const requestRotation = (id: string) => parts.jobs.requestRotation(id);
  const deps = { rotations, clock, random, known: keys, requestRotation };
  return {
    rotateKeys: (input) => rotateKeys(deps, input),
    showKeys: () => showKeys(deps, keys),
  };
}
