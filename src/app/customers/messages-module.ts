import { createCustomerMailer } from '../../alerts/customer-mailer.ts';
import type { Config } from '../../config.ts';
import { present } from '../../domain/present.ts';
import { sendMessages as sendMessagesJob } from '../../jobs/background/send-messages.ts';
import type { BackgroundJob } from '../../jobs/background-job.ts';
import type { ActionLog } from '../../recovery/admin/ports.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import { createSignedTokens } from '../../recovery/customers/signed-token.ts';
import type { IngestDeps } from '../../recovery/intake/ingest.ts';
import { addressHasher } from '../../recovery/messages/customer-address.ts';
import type { SendMail } from '../../recovery/messages/message-ports.ts';
import { createMessagesApi, type MessagesApi } from '../../recovery/messages/messages-api.ts';
import { sendCardMessages } from '../../recovery/messages/send-card-messages.ts';
import { sendMessages } from '../../recovery/messages/send-messages.ts';
import {
  noteBounce,
  type StopMessages,
  stopByLink,
} from '../../recovery/messages/stop-messages.ts';
import { appendAudit } from '../../store/admin/audit-log.ts';
import { createCardMessageStore } from '../../store/messages/card-messages.ts';
import { keepAddress } from '../../store/messages/customer-addresses.ts';
import { createMessageSettingsStore } from '../../store/messages/message-settings-store.ts';
import { createMessageStore } from '../../store/messages/message-store.ts';
import {
  allowAddress,
  createStopStore,
  suppressAddress,
} from '../../store/messages/suppressions.ts';
import { createSealer, type Sealer } from '../../store/sealing/sealer.ts';
import { serve } from '../../store/wall/serving.ts';
import type { AppContext } from '../context.ts';
import { linkSigners } from './customer-links.ts';

/** What sends messages to customers, or nothing where no mail server is set. */
export function customerMailer(config: Config): SendMail | undefined {
  const { smtpUrl, webhookTimeoutMs: timeoutMs, messageBounceAddress: bounceAddress } = config;
  if (smtpUrl === undefined) return undefined;
  return createCustomerMailer({ smtpUrl, timeoutMs, bounceAddress });
}

/** The address at which a customer stops messages; none where nobody says how this service is reached. */
export function stopUrls(context: Pick<AppContext, 'config' | 'hashCredential'>) {
  const { recoveryUrl } = context.config;
  const tokens = createSignedTokens(context, 'stop messages, v1');
  return (of: { readonly merchantId: string; readonly messageId: string }): string | undefined =>
    recoveryUrl && `${recoveryUrl}/unsubscribe/${tokens.sign(of.merchantId, [of.messageId])}`;
}

/** Writes to customers whose payments wait for them. */
export function messageJob(
  context: AppContext,
  { sealer }: { readonly sealer: Sealer },
): BackgroundJob {
  const { config, db, clock, random, log } = context;
  const send = customerMailer(config);
  const shared = {
    clock,
    random,
    stopUrl: stopUrls(context),
    log: {
      warn: (fields: Readonly<Record<string, unknown>>, text: string) => log.warn(fields, text),
    },
    ...present({ send }),
  };
  const deps = { ...shared, store: createMessageStore({ db, sealer }), ...linkSigners(context) };
  const cards = { ...deps, store: createCardMessageStore({ db, sealer }) };
  return sendMessagesJob({
    send: async (signal) =>
      (await sendMessages(deps, signal)) + (await sendCardMessages(cards, signal)),
  });
}

/** What operators do with messages to customers. */
export function messagesApi(
  context: AppContext,
  {
    directory,
    actions,
  }: {
    readonly directory: { forget(merchantId: string): void };
    readonly actions: ActionLog;
  },
): MessagesApi {
  const { config, db, clock, random } = context;
  const send = customerMailer(config);
  return createMessagesApi({
    store: createMessageSettingsStore(db),
    clock,
    random,
    hashAddress: addressHasher(context.hashCredential),
    stopUrl: stopUrls(context),
    suppress: ({ audit, isSuppressed, ...of }) =>
      db.transaction(async (tx) => {
        const isChanged = isSuppressed
          ? await suppressAddress(tx, { ...of, reason: 'operator', at: audit.at })
          : await allowAddress(tx, of);
        if (isChanged) await appendAudit(tx, of.merchantId, audit);
        return isChanged;
      }),
    noteAction: (input) => actions.noteAction(input),
    forget: (merchantId) => directory.forget(merchantId),
    ...present({ send }),
  });
}

/** Keeps the addresses that merchants report, where they have their customers written to. */
export function addressKeeper(
  context: Pick<AppContext, 'hashCredential' | 'keys' | 'merchantDatabases' | 'random'>,
): NonNullable<IngestDeps['keepAddress']> {
  const hashOf = addressHasher(context.hashCredential);
  const deps = { db: context.merchantDatabases.served, sealer: createSealer(context) };
  return (address) =>
    keepAddress(deps, { ...address, hash: hashOf(address.merchantId, address.email) });
}

type StopContext = Pick<AppContext, 'clock' | 'hashCredential' | 'merchantDatabases'>;

/** What mail servers learn later, as merchants tell it. */
export function bounceApi(context: StopContext): Pick<RecoveryApi, 'noteBounce'> {
  const { clock } = context;
  const store = createStopStore(context.merchantDatabases.served);
  return { noteBounce: (input) => noteBounce({ store, clock }, input) };
}

/** Takes customers' own word, of whichever merchant the link is. */
export function messageStops(context: StopContext): StopMessages {
  const { clock } = context;
  const stops = createStopStore(context.merchantDatabases.served);
  const tokens = createSignedTokens(context, 'stop messages, v1');
  const store = {
    stop: (input: Parameters<typeof stops.stop>[0]) =>
      serve(input.merchantId, () => stops.stop(input)),
  };
  return (token) => stopByLink({ store, tokens, clock }, token);
}
