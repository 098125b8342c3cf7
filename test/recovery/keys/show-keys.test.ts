import { describe, expect, it } from 'vitest';
import type { KeyRotation, WrappedBy } from '../../../src/recovery/keys/key-ports.ts';
import { rotateKeys } from '../../../src/recovery/keys/rotate-keys.ts';
import { showKeys } from '../../../src/recovery/keys/show-keys.ts';

const now = new Date('2026-06-01T12:00:00Z');
const known = { keyId: 'k_new', others: ['k_old', 'k_idle'] };
const rotation = (state: KeyRotation['state']): KeyRotation => ({
  rotationId: 'rot_1',
  state,
  keyId: 'k_new',
  newDataKeys: false,
  made: 0,
  rewrapped: 0,
  startedAt: now,
  updatedAt: now,
});

function stored(wrapped: readonly WrappedBy[], latest?: KeyRotation) {
  const begun: unknown[] = [];
  const requested: string[] = [];
  const rotations = {
    latest: async () => latest,
    countWrapped: async () => wrapped,
    begin: async (input: object) => {
      begun.push(input);
      return rotation('running');
    },
    step: async () => ({ keys: 0, ended: true }),
  };
  const deps = {
    rotations,
    clock: { now: () => now },
    random: { bytes: (count: number) => new Uint8Array(count) },
    known,
    requestRotation: async (id: string) => void requested.push(id),
  };
  return { deps, begun, requested };
}

describe('the wrapping keys', () => {
  const wrapped = [
    { keyId: 'k_old', count: 3 },
    { keyId: 'k_new', count: 5 },
  ];

  it('are those of this process and of the database, with what needs them', async () => {
    const { deps } = stored([...wrapped, { keyId: 'k_lost', count: 1 }]);
    expect(await showKeys(deps, known)).toStrictEqual({
      keys: [
        { keyId: 'k_new', use: 'current', wraps: 5, removable: false },
        { keyId: 'k_old', use: 'other', wraps: 3, removable: false },
        { keyId: 'k_idle', use: 'other', wraps: 0, removable: true },
        { keyId: 'k_lost', use: 'unknown', wraps: 1, removable: false },
      ],
    });
  });

  it('stay while a rotation runs, and may go when it is done', async () => {
    const removable = async (state: KeyRotation['state']) => {
      const report = await showKeys(stored(wrapped, rotation(state)).deps, known);
      expect(report.rotation).toEqual(rotation(state));
      return report.keys.filter((key) => key.removable).map(({ keyId }) => keyId);
    };
    expect(await removable('running')).toEqual([]);
    expect(await removable('done')).toEqual(['k_idle']);
  });

  it('that nothing is wrapped by need not be the present one', async () => {
    const { keys } = await showKeys(stored([]).deps, known);
    expect(keys[0]).toEqual({ keyId: 'k_new', use: 'current', wraps: 0, removable: false });
  });

  it('are rotated to the present one, in the background', async () => {
    const { deps, begun, requested } = stored(wrapped);
    expect(await rotateKeys(deps, { newDataKeys: true })).toEqual(rotation('running'));
    const rotationId = expect.stringMatching(/^rot_/);
    expect(begun).toEqual([{ rotationId, keyId: 'k_new', newDataKeys: true, at: now }]);
    expect(requested).toEqual(['rot_1']);
  });

  it('are not rotated while one is not known', async () => {
    const { deps, begun } = stored([...wrapped, { keyId: 'k_lost', count: 1 }]);
    await expect(rotateKeys(deps, { newDataKeys: false })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^1 keys are wrapped by k_lost/),
    });
    expect(begun).toEqual([]);
  });
});
