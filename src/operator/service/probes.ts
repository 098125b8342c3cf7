import { Type } from 'typebox';
import {
  databaseAwayCodes,
  type HeldBack,
  heldBackCodes,
  type NotServing,
  notServingCodes,
  type RefusedWrites,
  refusedWriteCodes,
} from '../../domain/held-back.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { ProbeDeps } from '../operator-deps.ts';

const statusShape = (word: string, description: string) =>
  Type.Object(
    { status: Type.String({ const: word }) },
    { description, examples: [{ status: word }] },
  );

const notReadyShape = Type.Object(
  {
    status: Type.String({ const: 'not_ready' }),
    code: Type.Optional(
      enumField(
        [...heldBackCodes, ...databaseAwayCodes, ...refusedWriteCodes, ...notServingCodes],
        'Why no work is taken, where that is known.',
      ),
    ),
    message: Type.Optional(Type.String({ description: 'The same in a sentence.' })),
  },
  {
    description: 'It cannot now; ask again.',
    examples: [
      {
        status: 'not_ready',
        code: 'clock_differs',
        message:
          "This machine's clock is 130.0 s ahead of the database's (give or take 0.0 s); 2 s are allowed.",
      },
    ],
  },
);

/** Whether the process lives: for whoever starts and balances processes. */
export const health = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  isProbe: true,
  docs: {
    id: 'health',
    tag: 'Service',
    summary: 'Whether the process lives',
    description: 'Needs no token.',
  },
  answers: { 200: statusShape('ok', 'It does.') },
  answer: async () => contentAnswer({ status: 'ok' }),
});

/** Whether the process can work. */
export const ready = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  isProbe: true,
  docs: {
    id: 'ready',
    tag: 'Service',
    summary: 'Whether the process can do its work',
    description:
      'The database answers, has this version and takes writes, and the time of this process can be trusted: ' +
      'while it cannot, the process takes no work, and `code` and `message` say why. A process that starts or ends ' +
      'is not ready either. Needs no token.',
  },
  answers: {
    200: statusShape('ready', 'It can.'),
    503: notReadyShape,
  },
  async answer(_asked, deps: ProbeDeps) {
    const notServing = deps.notServing();
    if (notServing !== undefined) return notReady(notServing);
    const away = await deps.databaseAway().catch(() => ({}));
    if (away !== undefined) return contentAnswer({ status: 'not_ready', ...away }, 503);
    const heldBack = (await deps.writesRefused()) ?? deps.heldBack();
    if (heldBack === undefined) return contentAnswer({ status: 'ready' });
    return notReady(heldBack);
  },
});

function notReady({ code, message }: HeldBack | RefusedWrites | NotServing) {
  return contentAnswer({ status: 'not_ready', code, message }, 503);
}
