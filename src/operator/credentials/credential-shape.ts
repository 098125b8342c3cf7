import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import {
  type CredentialView,
  credentialKinds,
  type IssuedCredential,
} from '../../recovery/operator-api.ts';
import { ourIdField } from '../shapes.ts';

export const credentialIdField = ourIdField("The credential's id.");
export const kindField = enumField(credentialKinds, 'What it opens or signs.');

const fields = {
  id: credentialIdField,
  kind: kindField,
  hint: Type.String({ description: "The text's beginning and end, to recognise it by." }),
  created_at: timeField('When it was issued.'),
  expires_at: Type.Optional(timeField('When it ends, or ended.')),
  revoked_at: Type.Optional(timeField('When it was revoked.')),
  last_used_at: Type.Optional(timeField('When it was last seen, to the minute or so.')),
};

const example = {
  id: 'cred_5h2j7q0x9w3m1c8n4t6r0b2k',
  kind: 'recovery_api_key',
  hint: 'rk_live_2b…9x2c',
  created_at: '2026-03-01T09:30:00.000Z',
};

export const credentialShape = Type.Object(fields, { title: 'Credential', examples: [example] });

export const issuedShape = Type.Object(
  { ...fields, text: Type.String({ description: 'The credential itself, in this answer alone.' }) },
  {
    title: 'IssuedCredential',
    description: 'The new credential.',
    examples: [{ ...example, text: 'rk_live_2b7mc1x0…9x2c' }],
  },
);

export function credentialJson(credential: CredentialView): Type.Static<typeof credentialShape> {
  return present({
    id: credential.credentialId,
    kind: credential.kind,
    hint: credential.hint,
    created_at: credential.createdAt.toISOString(),
    expires_at: credential.expiresAt?.toISOString(),
    revoked_at: credential.revokedAt?.toISOString(),
    last_used_at: credential.lastUsedAt?.toISOString(),
  });
}

export function issuedJson(issued: IssuedCredential): Type.Static<typeof issuedShape> {
  return { ...credentialJson(issued), text: issued.text };
}
