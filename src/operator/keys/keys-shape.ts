import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { timeField } from '../../http/fields.ts';
import type { KeyRotation, KeysReport } from '../../recovery/keys/key-ports.ts';
import { countField } from '../shapes.ts';

const rotationExample = {
  id: 'rot_4c1vbz7p0x9k2m5n8q3r6t0w',
  state: 'done',
  key_id: 'local-2b90de9b10a3f8c4',
  new_data_keys: false,
  made: 0,
  rewrapped: 1_204,
  started_at: '2026-06-02T08:15:00.000Z',
  updated_at: '2026-06-02T08:15:04.000Z',
  ended_at: '2026-06-02T08:15:04.000Z',
};

export const rotationShape = Type.Object(
  {
    id: Type.String(),
    state: Type.Union([Type.Literal('running'), Type.Literal('done')]),
    key_id: Type.String({ description: 'The key that will wrap everything.' }),
    new_data_keys: Type.Boolean({ description: 'Whether every merchant gets a new data key.' }),
    made: countField('New data keys so far.'),
    rewrapped: countField('Keys rewrapped so far.'),
    started_at: timeField('When it began.'),
    updated_at: timeField('Its last page.'),
    ended_at: Type.Optional(timeField('When nothing was left.')),
  },
  {
    title: 'KeyRotation',
    description: 'Everything that is wrapped is rewrapped.',
    examples: [rotationExample],
  },
);

const keyShape = Type.Object(
  {
    key_id: Type.String({
      description: 'Derived from the key: `local-` and a hash of it, or `aws-` and its id at AWS.',
      examples: ['local-2b90de9b10a3f8c4'],
    }),
    use: Type.Union([Type.Literal('current'), Type.Literal('other'), Type.Literal('unknown')], {
      description:
        '`current`: ENCRYPTION_KEY. `other`: one of OTHER_ENCRYPTION_KEYS. `unknown`: it wraps something, but this process does not have it.',
    }),
    wraps: countField('Keys that it wraps.'),
    removable: Type.Boolean({
      description:
        'It no longer wraps anything. Remove it from the settings once no process has it as ENCRYPTION_KEY; older backups still need it.',
    }),
  },
  { title: 'WrappingKey' },
);

export const keysShape = Type.Object(
  {
    items: Type.Array(keyShape, { description: 'The current one first.' }),
    rotation: Type.Optional(rotationShape),
  },
  {
    description: 'The keys that wrap the data keys, and the last rotation.',
    examples: [
      {
        items: [
          { key_id: 'local-2b90de9b10a3f8c4', use: 'current', wraps: 1_204, removable: false },
          { key_id: 'local-77aa01c2be5d9f36', use: 'other', wraps: 0, removable: true },
        ],
        rotation: rotationExample,
      },
    ],
  },
);

export function rotationJson(rotation: KeyRotation): Type.Static<typeof rotationShape> {
  return present({
    id: rotation.rotationId,
    state: rotation.state,
    key_id: rotation.keyId,
    new_data_keys: rotation.newDataKeys,
    made: rotation.made,
    rewrapped: rotation.rewrapped,
    started_at: rotation.startedAt.toISOString(),
    updated_at: rotation.updatedAt.toISOString(),
    ended_at: rotation.endedAt?.toISOString(),
  });
}

export function keysJson({ keys, rotation }: KeysReport): Type.Static<typeof keysShape> {
  const items = keys.map(({ keyId, ...key }) => ({ key_id: keyId, ...key }));
  return present({ items, rotation: rotation && rotationJson(rotation) });
}
