import { Type } from 'typebox';
import { type CredentialScope, credentialScopes } from '../../domain/access/scopes.ts';
import { dayMs, hourMs } from '../../domain/clock.ts';
import { parseIsoDuration } from '../../domain/duration.ts';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import {
  type CredentialKind,
  type CredentialView,
  credentialKinds,
  type IssuedCredential,
  type WantedCredential,
} from '../../recovery/operator-api.ts';
import { InvalidRequest } from '../invalid-request.ts';
import { messageField, ourIdField } from '../shapes.ts';

export const credentialIdField = ourIdField("The credential's id.");
export const kindField = enumField(credentialKinds, 'What it opens or signs.');

/** Longest time that a key may be issued for. */
const maxValidDays = 1825;

const scopeItem = enumField(
  credentialScopes,
  '`intake`: submit reports. `read`: read. `act`: make changes.',
);

const fields = {
  id: credentialIdField,
  kind: kindField,
  hint: Type.String({ description: 'The first and last characters, to recognise it by.' }),
  scopes: Type.Optional(
    Type.Array(scopeItem, {
      description: 'What a key or a password may be used for. A signing secret has none.',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'Which system holds it.' })),
  created_at: timeField('When it was issued.'),
  expires_at: Type.Optional(timeField('When it ends, or ended.')),
  revoked_at: Type.Optional(timeField('When it was revoked.')),
  last_used_at: Type.Optional(timeField('When it was last used, to about a minute.')),
};

const example = {
  id: 'cred_5h2j7q0x9w3m1c8n4t6r0b2k',
  kind: 'recovery_api_key',
  hint: 'rk_live_2b…9x2c',
  scopes: ['intake'],
  name: 'Billing',
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

/** What a new one may be given beside its kind. */
export const wantedFields = {
  scopes: Type.Optional(
    Type.Array(scopeItem, {
      minItems: 1,
      maxItems: credentialScopes.length,
      description:
        'What it may be used for. Default: everything; in a rotation, what the replaced one allows.',
    }),
  ),
  name: Type.Optional(messageField('The system that will use it.', 100)),
  valid_for: Type.Optional(
    Type.String({
      description:
        'When it ends by itself, as an ISO 8601 duration from PT1H to P1825D. Default: never.',
    }),
  ),
};

/** @throws InvalidRequest */
export function wantedOf(body: {
  readonly kind: CredentialKind;
  readonly scopes?: readonly CredentialScope[];
  readonly name?: string;
  readonly valid_for?: string;
}): WantedCredential {
  const { kind, scopes, name, valid_for: validFor } = body;
  return present({
    kind,
    scopes,
    name,
    validMs: validFor === undefined ? undefined : validMs(validFor),
  });
}

function validMs(text: string): number {
  const reading = parseIsoDuration(text);
  if ('fault' in reading)
    throw new InvalidRequest([{ at: 'valid_for', text: `Input ${reading.fault}` }]);
  const { durationMs } = reading;
  if (durationMs >= hourMs && durationMs <= maxValidDays * dayMs) return durationMs;
  const fault = `Input should be from PT1H to P${maxValidDays}D`;
  throw new InvalidRequest([{ at: 'valid_for', text: fault }]);
}

export function credentialJson(credential: CredentialView): Type.Static<typeof credentialShape> {
  return present({
    id: credential.credentialId,
    kind: credential.kind,
    hint: credential.hint,
    scopes: credential.scopes && [...credential.scopes],
    name: credential.name,
    created_at: credential.createdAt.toISOString(),
    expires_at: credential.expiresAt?.toISOString(),
    revoked_at: credential.revokedAt?.toISOString(),
    last_used_at: credential.lastUsedAt?.toISOString(),
  });
}

export function issuedJson(issued: IssuedCredential): Type.Static<typeof issuedShape> {
  return { ...credentialJson(issued), text: issued.text };
}
