import { addMs, type Clock, dayMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { chooseTemplate, type NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import {
  type MessageSettings,
  missingForMessages,
} from '../../domain/messages/message-settings.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { ActionLog, AuditEntry } from '../admin/ports.ts';
import { sampleSubject, writeFrom } from './compose-mail.ts';
import type { HashAddress } from './customer-address.ts';
import type { SendMail } from './message-ports.ts';
import type { KeptSettings, MessageSettingsStore } from './message-settings-port.ts';

/** What operators choose of a merchant's messages; null takes a text away. */
export type SettingsChange = {
  readonly [Name in keyof MessageSettings]?: MessageSettings[Name] | null;
};

/** A merchant's messages, with what keeps them from being switched on. */
export interface MessagesView extends KeptSettings {
  readonly missing: readonly string[];
}

/** What operators do with messages to customers. Undefined where there is no such merchant. */
export interface MessagesApi {
  showMessages(merchantId: string): Promise<MessagesView | undefined>;
  /** @throws AppError conflict where they are switched on and something is missing */
  changeMessages(merchantId: string, change: SettingsChange): Promise<MessagesView | undefined>;
  setMessageTemplate(merchantId: string, template: NamedTemplate): Promise<boolean>;
  /** False where there is none of the merchant's own. */
  removeMessageTemplate(
    merchantId: string,
    named: Pick<NamedTemplate, 'reason' | 'language'>,
  ): Promise<boolean>;
  /** Sends one at once, whether messages are on or not. */
  testMessage(input: {
    readonly merchantId: string;
    readonly to: string;
    readonly reason: NamedTemplate['reason'];
    readonly language: string;
  }): Promise<{ readonly sent: boolean; readonly detail?: string } | undefined>;
  /** Whether anything was changed: nothing more is sent to an address, or it may be again. */
  suppressMessages(input: {
    readonly merchantId: string;
    readonly email: string;
    readonly isSuppressed: boolean;
  }): Promise<boolean>;
}

export interface MessagesApiDeps extends ActionLog {
  readonly store: MessageSettingsStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly hashAddress: HashAddress;
  /** Absent: no mail server is set. */
  readonly send?: SendMail;
  stopUrl(of: { readonly merchantId: string; readonly messageId: string }): string | undefined;
  suppress(input: {
    readonly merchantId: string;
    readonly hash: string;
    readonly isSuppressed: boolean;
    readonly audit: AuditEntry;
  }): Promise<boolean>;
  /** What is kept in memory of the merchant is read anew. */
  forget(merchantId: string): void;
}

export function createMessagesApi(deps: MessagesApiDeps): MessagesApi {
  const { store, clock } = deps;
  const entry = (action: string, detail: JsonObject): AuditEntry => ({
    action,
    detail,
    at: clock.now(),
  });
  return {
    async showMessages(merchantId) {
      const kept = await store.find(merchantId);
      return kept && viewOf(deps, kept);
    },
    async changeMessages(merchantId, change) {
      const kept = await store.change(merchantId, (known) => {
        const settings = changed(known.settings, change);
        if (settings.isOn) refuseMissing(missingOf(deps, { ...known, settings }));
        const audit = entry('messages.changed', { ...change } as JsonObject);
        return { settings, audit };
      });
      deps.forget(merchantId);
      return kept && viewOf(deps, kept);
    },
    setMessageTemplate(merchantId, template) {
      const { reason, language } = template;
      const audit = entry('messages.template_set', { reason, language });
      return store.setTemplate({ merchantId, template, audit });
    },
    removeMessageTemplate(merchantId, { reason, language }) {
      const audit = entry('messages.template_removed', { reason, language });
      return store.removeTemplate({ merchantId, reason, language, audit });
    },
    testMessage: (input) => testMessage(deps, input),
    suppressMessages({ merchantId, email, isSuppressed }) {
      // The address is personal: the log says that somebody's was changed.
      const action = isSuppressed ? 'messages.suppressed' : 'messages.allowed';
      const hash = deps.hashAddress(merchantId, email);
      return deps.suppress({ merchantId, hash, isSuppressed, audit: entry(action, {}) });
    },
  };
}

async function testMessage(
  deps: MessagesApiDeps,
  input: Parameters<MessagesApi['testMessage']>[0],
): ReturnType<MessagesApi['testMessage']> {
  const { merchantId, to, reason, language } = input;
  const kept = await deps.store.find(merchantId);
  if (kept === undefined) return undefined;
  refuseMissing(missingOf(deps, kept));
  const { settings, merchantName, customerPageUrl: page } = kept;
  const messageId = newId(deps.random, 'cmg');
  const stopUrl = deps.stopUrl({ merchantId, messageId });
  const { send } = deps;
  const { sender, replyTo } = settings;
  if (send === undefined || sender === undefined || page === undefined || stopUrl === undefined) {
    return undefined;
  }
  const template = chooseTemplate(kept.templates, { reason, languages: [language] });
  const at = addMs(deps.clock.now(), dayMs);
  const { subject, body: text } = writeFrom(
    template,
    sampleSubject(merchantName, settings, { page, stopUrl, at }),
  );
  const mail = { messageId, from: sender, to, subject, text, stopUrl, ...present({ replyTo }) };
  const outcome = await send(mail);
  // The address is personal here too.
  const detail = { reason, language, sent: outcome.kind === 'sent' };
  const audit = { action: 'messages.tested', detail, at: deps.clock.now() };
  await deps.noteAction({ merchantId, audit });
  return outcome.kind === 'sent' ? { sent: true } : { sent: false, detail: outcome.detail };
}

function viewOf(deps: MessagesApiDeps, kept: KeptSettings): MessagesView {
  return { ...kept, missing: missingOf(deps, kept) };
}

function missingOf(deps: MessagesApiDeps, kept: KeptSettings): readonly string[] {
  const of = { merchantId: '', messageId: '' };
  return missingForMessages(kept.settings, {
    page: kept.customerPageUrl !== undefined,
    mailServer: deps.send !== undefined,
    address: deps.stopUrl(of) !== undefined,
  });
}

function refuseMissing(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new AppError(
    'conflict',
    `Customers cannot be written to yet. Missing: ${missing.join('; ')}.`,
    { action: 'Set what is missing, then try again.' },
  );
}

function changed(settings: MessageSettings, change: SettingsChange): MessageSettings {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const next = { ...settings, ...Object.fromEntries(entries) };
  const kept = Object.entries(next).filter(([, value]) => value !== null);
  return Object.fromEntries(kept) as unknown as MessageSettings;
}
