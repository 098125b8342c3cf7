import { Type } from 'typebox';
import { operatorRoles } from '../../domain/access/operators.ts';
import { present } from '../../domain/present.ts';
import { enumField, shapedField, timeField } from '../../http/fields.ts';
import type {
  IssuedToken,
  OperatorTokenView,
  OperatorView,
} from '../../recovery/people/people-api.ts';
import { merchantIdField, messageField, ourIdField } from '../shapes.ts';

export const operatorPath = Type.Object({ id: ourIdField("The operator's id.") });

export const nameField = messageField('Who it is.', 200);
export const roleField = enumField(
  operatorRoles,
  'viewer reads; disputes answers disputes and reads their evidence too; operator acts on payments, incidents and policies too; administrator does everything.',
);
export const emailField = shapedField(
  'Their e-mail address.',
  '^[^\\s@\\x00-\\x1f\\x7f]{1,250}@[^\\s@\\x00-\\x1f\\x7f]{1,69}$',
  'an e-mail address',
);
export const merchantsField = Type.Array(merchantIdField, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The merchants that they may see; absent: all.',
});

const example = {
  id: 'op_6m1c8n4t6r0b2k5h2j7q0x9w',
  name: 'K. Ito',
  email: 'k.ito@example.com',
  role: 'disputes',
  merchants: ['mer_3v5kq0m2w8x1c7n4t6r9b2h1'],
  created_at: '2026-03-01T09:30:00.000Z',
} as const;

export const operatorShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.Optional(Type.String()),
    role: roleField,
    merchants: Type.Optional(Type.Array(Type.String(), { description: 'Absent: all.' })),
    created_at: timeField('When they were added.'),
    removed_at: Type.Optional(timeField('When they were removed; their address is forgotten.')),
  },
  { title: 'Operator', description: 'An operator.', examples: [example] },
);

const tokenFields = {
  id: Type.String(),
  operator_id: Type.String(),
  hint: Type.String({ description: 'The first and last characters, to recognise it by.' }),
  created_at: timeField('When it was issued.'),
  expires_at: timeField('When it ends.'),
  revoked_at: Type.Optional(timeField('When it was revoked.')),
  last_used_at: Type.Optional(timeField('When it was last used, to about a minute.')),
};

const tokenExample = {
  id: 'tok_5h2j7q0x9w3m1c8n4t6r0b2k',
  operator_id: example.id,
  hint: 'op_live_2b…9x2c',
  created_at: '2026-03-01T09:30:00.000Z',
  expires_at: '2026-05-30T09:30:00.000Z',
};

export const tokenShape = Type.Object(tokenFields, {
  title: 'OperatorToken',
  examples: [tokenExample],
});

export const issuedTokenShape = Type.Object(
  { ...tokenFields, text: Type.String({ description: 'The token itself, in this answer alone.' }) },
  {
    title: 'IssuedOperatorToken',
    description: 'The new token.',
    examples: [{ ...tokenExample, text: 'op_live_2b7mc1x0…9x2c' }],
  },
);

export function operatorJson(operator: OperatorView): Type.Static<typeof operatorShape> {
  return present({
    id: operator.operatorId,
    name: operator.name,
    email: operator.email,
    role: operator.role,
    merchants: operator.merchants && [...operator.merchants],
    created_at: operator.createdAt.toISOString(),
    removed_at: operator.removedAt?.toISOString(),
  });
}

export function tokenJson(token: OperatorTokenView): Type.Static<typeof tokenShape> {
  return present({
    id: token.tokenId,
    operator_id: token.operatorId,
    hint: token.hint,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    revoked_at: token.revokedAt?.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString(),
  });
}

export function issuedTokenJson(token: IssuedToken): Type.Static<typeof issuedTokenShape> {
  return { ...tokenJson(token), text: token.text };
}
