import { Type } from 'typebox';
import { type Psp, psps } from '../../../domain/psps.ts';
import type { PspConnectionView } from '../../../recovery/operator-api.ts';
import { timeField, wordField } from '../../fields.ts';
import { merchantIdField } from '../shapes.ts';

export const pspField = wordField(psps, 'The processor.');

export const pspPath = Type.Object({ id: merchantIdField, psp: pspField });
export type PspPath = { readonly id: string; readonly psp: Psp };

export const pspConnectionShape = Type.Object(
  {
    psp: pspField,
    result: wordField(
      ['accepted', 'unreachable', 'refused'],
      'What the processor said of the credentials just now; `unreachable`: they are not tested.',
    ),
    account: Type.Optional(Type.String({ description: "The account's name or id there." })),
    reason: Type.Optional(Type.String({ description: 'Why they are not accepted.' })),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'What works, but not as far as it should.' }),
    ),
    checked_at: timeField('When the processor was asked.'),
  },
  {
    title: 'PspConnection',
    description: 'The connection; its credentials are never shown.',
    examples: [
      {
        psp: 'stripe',
        result: 'accepted',
        account: 'acct_1K2b3c',
        checked_at: '2026-03-01T09:30:00.000Z',
      },
    ],
  },
);

export function pspConnectionJson(view: PspConnectionView): Type.Static<typeof pspConnectionShape> {
  const { psp, check, checkedAt } = view;
  const common = { psp, result: check.kind, checked_at: checkedAt.toISOString() };
  if (check.kind !== 'accepted') return { ...common, reason: check.reason };
  return {
    ...common,
    ...(check.account === undefined ? {} : { account: check.account }),
    ...(check.warnings === undefined ? {} : { warnings: [...check.warnings] }),
  };
}
