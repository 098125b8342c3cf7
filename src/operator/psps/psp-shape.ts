import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { accountModes, type Psp, psps } from '../../domain/psps.ts';
import { enumField, timeField } from '../../http/fields.ts';
import type {
  DisconnectedPsp,
  OpenCharges,
  PspAccountView,
  PspConnectionView,
} from '../../recovery/operator-api.ts';
import { merchantIdField } from '../shapes.ts';

export const pspField = enumField(psps, 'The processor.');

/** As the documents show it. */
export const pspPath = Type.Object({ id: merchantIdField, psp: pspField });
/** As it is asked: any text, since a processor that is unknown is one that is not connected. */
export const anyPspPath = Type.Object({ id: merchantIdField, psp: Type.String() });

/** Unknown, switched off or never connected: nobody learns which. */
export function notConnected(): AppError {
  return new AppError('not_found', 'The merchant has no connection to this processor.');
}

/** @throws AppError not_found */
export function knownPsp(text: string): Psp {
  const psp = psps.find((each) => each === text);
  if (psp === undefined) throw notConnected();
  return psp;
}

const modeField = enumField(
  accountModes,
  'Whether real money moves there; `unknown`: neither the processor nor the credentials say.',
);
const versionField = Type.Integer({
  minimum: 1,
  description:
    'Counts the accounts there: new keys of the same one keep it, another gets the next.',
});

const openChargesShape = Type.Object(
  {
    count: Type.Integer({ description: 'Charges that may have been made.' }),
    amounts: Type.Array(
      Type.Object({
        amount: Type.Number({ description: 'In major units.' }),
        currency: Type.String(),
      }),
      { description: 'Their sum in each currency.' },
    ),
    oldest_sent_at: timeField('When the oldest of them was sent.'),
  },
  {
    title: 'OpenCharges',
    description:
      'Charges of the account that are under way or whose answer was lost. Absent: there are none.',
    examples: [
      {
        count: 2,
        amounts: [{ amount: 31.98, currency: 'EUR' }],
        oldest_sent_at: '2026-03-01T09:12:04.000Z',
      },
    ],
  },
);

export const pspConnectionShape = Type.Object(
  {
    psp: pspField,
    result: enumField(
      ['accepted', 'unreachable', 'refused'],
      'What the processor said of the credentials just now; `unreachable`: they are not tested.',
    ),
    account: Type.Optional(Type.String({ description: "The account's name or id there." })),
    reason: Type.Optional(Type.String({ description: 'Why they are not accepted.' })),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'What works, but not as far as it should.' }),
    ),
    checked_at: timeField('When the processor was asked.'),
    mode: modeField,
    version: versionField,
    retired: Type.Optional(
      Type.Object(
        { version: versionField, open: Type.Optional(openChargesShape) },
        {
          description:
            'The account that this one replaced: nothing is charged through it any more. Its credentials stay sealed until what is open at it is resolved.',
        },
      ),
    ),
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
        mode: 'live',
        version: 2,
        retired: {
          version: 1,
          open: {
            count: 2,
            amounts: [{ amount: 31.98, currency: 'EUR' }],
            oldest_sent_at: '2026-03-01T09:12:04.000Z',
          },
        },
      },
    ],
  },
);

export const disconnectedShape = Type.Object(
  { psp: pspField, version: versionField, open: Type.Optional(openChargesShape) },
  {
    title: 'DisconnectedPsp',
    description:
      'The account that was removed. Its credentials are destroyed once nothing of it is open.',
    examples: [{ psp: 'stripe', version: 1 }],
  },
);

export const pspAccountShape = Type.Object(
  {
    psp: pspField,
    version: versionField,
    account: Type.Optional(Type.String({ description: "The account's own id there." })),
    mode: modeField,
    state: enumField(['active', 'retired'], '`retired`: another replaced it, or it was removed.'),
    connected_at: timeField('When it was connected.'),
    retired_at: Type.Optional(timeField('When it was replaced or removed.')),
    credentials_destroyed_at: Type.Optional(
      timeField('Since then nothing can be looked up there any more.'),
    ),
    open: Type.Optional(openChargesShape),
  },
  {
    title: 'PspAccount',
    examples: [
      {
        psp: 'stripe',
        version: 1,
        account: 'acct_1K2b3c',
        mode: 'live',
        state: 'active',
        connected_at: '2026-02-01T09:30:00.000Z',
      },
    ],
  },
);

export function pspConnectionJson(view: PspConnectionView): Type.Static<typeof pspConnectionShape> {
  const { psp, check, checkedAt, mode, version, retired } = view;
  const common = {
    psp,
    result: check.kind,
    checked_at: checkedAt.toISOString(),
    mode,
    version,
    ...(retired !== undefined && { retired: retiredJson(retired) }),
  };
  if (check.kind !== 'accepted') return { ...common, reason: check.reason };
  return {
    ...common,
    ...present({ account: check.account }),
    ...(check.warnings !== undefined && { warnings: [...check.warnings] }),
  };
}

export function disconnectedJson({
  psp,
  ...retired
}: DisconnectedPsp): Type.Static<typeof disconnectedShape> {
  return { psp, ...retiredJson(retired) };
}

export function pspAccountJson(view: PspAccountView): Type.Static<typeof pspAccountShape> {
  return present({
    psp: view.psp,
    version: view.version,
    account: view.account,
    mode: view.mode,
    state: view.state,
    connected_at: view.connectedAt.toISOString(),
    retired_at: view.retiredAt?.toISOString(),
    credentials_destroyed_at: view.credentialsDestroyedAt?.toISOString(),
    open: view.open && openChargesJson(view.open),
  });
}

function retiredJson({ version, open }: Omit<DisconnectedPsp, 'psp'>) {
  return { version, ...(open !== undefined && { open: openChargesJson(open) }) };
}

function openChargesJson(open: OpenCharges): Type.Static<typeof openChargesShape> {
  return {
    count: open.count,
    amounts: open.amounts.map((money) => ({
      amount: decimalNumber(money),
      currency: money.currency,
    })),
    oldest_sent_at: open.oldestSentAt.toISOString(),
  };
}
