import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createCustomerMailer } from '../../src/alerts/customer-mailer.ts';
import { addMs, earlierOf, hourMs } from '../../src/domain/clock.ts';
import {
  defaultMessageSettings,
  type MessageSettings,
} from '../../src/domain/messages/message-settings.ts';
import { signCardLink, signCustomerLink } from '../../src/recovery/customers/customer-link.ts';
import { createSignedTokens } from '../../src/recovery/customers/signed-token.ts';
import {
  addressHasher,
  type ReportedAddress,
} from '../../src/recovery/messages/customer-address.ts';
import type { SendMail } from '../../src/recovery/messages/message-ports.ts';
import {
  type SendCardMessagesDeps,
  sendCardMessages,
} from '../../src/recovery/messages/send-card-messages.ts';
import { type SendMessagesDeps, sendMessages } from '../../src/recovery/messages/send-messages.ts';
import { stopByLink } from '../../src/recovery/messages/stop-messages.ts';
import { createCardMessageStore } from '../../src/store/messages/card-messages.ts';
import { keepAddress } from '../../src/store/messages/customer-addresses.ts';
import { createMessageSettingsStore } from '../../src/store/messages/message-settings-store.ts';
import { createMessageStore } from '../../src/store/messages/message-store.ts';
import { createStopStore } from '../../src/store/messages/suppressions.ts';
import { localKeyProvider } from '../../src/store/sealing/key-provider.ts';
import { createSealer } from '../../src/store/sealing/sealer.ts';
import { failedEvent } from './billing-events.ts';
import { type EngineWorld, random, tokens, type WorldOptions } from './engine.ts';
import { type SmtpInbox, startSmtpInbox } from './smtp-inbox.ts';

const hashCredential = (text: string) =>
  Buffer.from(text).toString('hex').padEnd(64, '0').slice(-64);
const stops = createSignedTokens({ hashCredential }, 'stop messages, v1');
const stopBase = 'https://api.recoup.example/unsubscribe/';

export interface MessageWorld {
  readonly cards: SendCardMessagesDeps;
  readonly world: EngineWorld;
  readonly inbox: SmtpInbox;
  readonly deps: SendMessagesDeps;
  readonly hashOf: ReturnType<typeof addressHasher>;
  set(change: Partial<MessageSettings>): Promise<void>;
  /** Reports a failed payment of a customer with an address. */
  report(invoiceId: string, method: string, customer?: object): Promise<void>;
  /** What is due is sent, by a process whose parts may be others. */
  send(change?: Partial<SendMessagesDeps>): Promise<number>;
  /** The same about cards. */
  warn(change?: Partial<SendCardMessagesDeps>): Promise<number>;
  /** Moves time on in steps of three hours, as engine and messages run beside each other. */
  runUntil(at: Date): Promise<void>;
  stop(token: string): Promise<boolean>;
}

/** The engine's world, with customers who are written to by a real mail server. */
export async function messageWorld(
  open: (options?: WorldOptions) => Promise<EngineWorld>,
  options: Partial<MessageSettings> = {},
): Promise<MessageWorld> {
  const inbox = await startSmtpInbox();
  onTestFinished(() => inbox.close());
  const hashOf = addressHasher(hashCredential);
  const sealer = createSealer({ keys: localKeyProvider({ random }, randomBytes(32)), random });
  let keep = async (_address: ReportedAddress): Promise<void> => undefined;
  const world = await open({
    messagesOn: true,
    customerPageUrl: 'https://acme.example/pay/{token}',
    keepAddress: (address) => keep(address),
  });
  const { db, clock, merchantId } = world;
  const dataKey = await sealer.newDataKey(merchantId, 1);
  await world.rows('insert into data_keys values ($1, 1, $2, $3)', [
    merchantId,
    dataKey.wrappedKey,
    clock.now(),
  ]);
  await world.rows('update merchants set customer_page_url = $2 where merchant_id = $1', [
    merchantId,
    'https://acme.example/pay/{token}',
  ]);
  keep = (address) =>
    keepAddress({ db, sealer }, { ...address, hash: hashOf(merchantId, address.email) });
  const settings = createMessageSettingsStore(db);
  const deps: SendMessagesDeps = {
    store: createMessageStore({ db, sealer }),
    clock,
    random,
    signLink: signCustomerLink(tokens),
    stopUrl: (of) => stopBase + stops.sign(of.merchantId, [of.messageId]),
    send: mailerTo(inbox),
    log: { warn: () => undefined },
  };
  const cards: SendCardMessagesDeps = {
    ...deps,
    store: createCardMessageStore({ db, sealer }),
    signCardLink: signCardLink(tokens),
  };
  const set = async (change: Partial<MessageSettings>): Promise<void> => {
    const audit = { action: 'messages.changed', detail: {}, at: clock.now() };
    await settings.change(merchantId, (known) => ({
      settings: { ...known.settings, ...change },
      audit,
    }));
  };
  await set({
    ...defaultMessageSettings,
    isOn: true,
    sender: 'Acme <billing@acme.example>',
    replyTo: 'help@acme.example',
    holdoutShare: 0,
    ...options,
  });
  const send: MessageWorld['send'] = (change = {}) => sendMessages({ ...deps, ...change });
  return {
    world,
    inbox,
    deps,
    cards,
    hashOf,
    set,
    send,
    warn: (change = {}) => sendCardMessages({ ...cards, ...change }),
    async report(invoiceId, method, customer = {}) {
      const event = failedEvent({
        invoiceId,
        customerId: `cus_of_${invoiceId}`,
        methods: [method],
      });
      const email = `${invoiceId}@customers.example`;
      await world.submit({ ...event, customer: { ...event.customer, email, ...customer } });
    },
    async runUntil(at) {
      for (;;) {
        await world.settle();
        await send();
        const now = clock.now();
        if (now.getTime() >= at.getTime()) return;
        await world.runUntil(earlierOf(addMs(now, 3 * hourMs), at));
      }
    },
    stop: (token) => stopByLink({ store: createStopStore(db), tokens: stops, clock }, token),
  };
}

export function mailerTo(inbox: Pick<SmtpInbox, 'port'>, timeoutMs = 5_000): SendMail {
  return createCustomerMailer({
    smtpUrl: `smtp://127.0.0.1:${inbox.port}`,
    timeoutMs,
    bounceAddress: 'bounces@recoup.example',
  });
}

/** Headers, unfolded, and the text of a message as its reader has them. */
export function readMail(source: string): {
  readonly headers: readonly string[];
  readonly text: string;
} {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  const isBase64 = /content-transfer-encoding: base64/i.test(head);
  const bytes = isBase64
    ? Buffer.from(text, 'base64')
    : Buffer.from(
        text
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
  return {
    headers: head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n'),
    text: bytes.toString('utf8').replaceAll('\r\n', '\n'),
  };
}
