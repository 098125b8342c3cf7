import { invariant } from '../../domain/errors.ts';
import type { EndToEndWorld, LinkEvent } from '../../simulator/end-to-end/end-to-end-world.ts';
import type { WorldMail } from './world-inbox.ts';

const domain = '@world.example';

/** Where the payer of a failure is written to. */
export function emailOf(index: number): string {
  return `payer${index}${domain}`;
}

/** The merchant's page for its customers. */
export const worldPage = 'https://page.world.example/{token}';

/** The method that a payer gives on the merchant's page. */
export function answeredMethodOf(index: number): string {
  return `pm_answer_${index}`;
}

/** What the merchant's server asks and tells of a link. */
export interface LinkCalls {
  /** False for one that has ended. */
  isOpen(token: string): Promise<boolean>;
  tell(token: string, path: 'visits' | 'outcomes', body: object): Promise<void>;
}

/** Payers who read what the service writes to them, and act by the world's rules; and their counts. */
export interface WorldCustomers {
  /** A message has come: its payer decides what to do about it. */
  take(mail: WorldMail): void;
  /** The hour has come at which a payer opens the link, or gives a method there. */
  act(event: LinkEvent): Promise<void>;
  readonly counts: { readonly mails: number; readonly opened: number; readonly acted: number };
}

export function createWorldCustomers(deps: {
  readonly world: EndToEndWorld;
  hour(): number;
  calls(): LinkCalls;
}): WorldCustomers {
  const mails = new Map<number, { readonly number: number; readonly token: string }>();
  const counts = { mails: 0, opened: 0, acted: 0 };
  return {
    counts,
    take({ to, source }) {
      const index = Number(/^payer(\d+)@/.exec(to)?.[1]);
      const token = tokenIn(source);
      invariant(Number.isInteger(index) && token !== undefined, 'mail goes to payers, with a link');
      const number = (mails.get(index)?.number ?? 0) + 1;
      mails.set(index, { number, token });
      counts.mails += 1;
      deps.world.written(index, { hour: deps.hour(), number });
    },
    async act({ kind, payer: { index } }) {
      const token = mails.get(index)?.token ?? '';
      const calls = deps.calls();
      if (!(await calls.isOpen(token))) return;
      counts.opened += 1;
      await calls.tell(token, 'visits', {});
      if (kind === 'opens') return;
      counts.acted += 1;
      const payment_method_id = answeredMethodOf(index);
      await calls.tell(token, 'outcomes', { outcome: 'payment_method_added', payment_method_id });
    },
  };
}

const softBreak = /=\r\n/g;
const encoded = /=([0-9A-F]{2})/g;

/** What stands for {token} in the page's address, in a message whose text may be quoted-printable. */
function tokenIn(source: string): string | undefined {
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(source);
  const text = isQuoted
    ? source
        .replaceAll(softBreak, '')
        .replaceAll(encoded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : source;
  const [before = ''] = worldPage.split('{token}');
  const at = text.indexOf(before);
  return at < 0 ? undefined : /^[\w.-]+/.exec(text.slice(at + before.length))?.[0];
}
