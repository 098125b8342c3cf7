import { createSendAlerts } from '../../alerts/send-alerts.ts';
import { createMailer, type Mailer } from '../../alerts/send-email.ts';
import type { Config } from '../../config.ts';
import { watchAlerts as watchAlertsJob } from '../../jobs/background/watch-alerts.ts';
import type { BackgroundJob } from '../../jobs/background-job.ts';
import { createGuardedClient } from '../../merchant/outbound/guarded-client.ts';
import { signedHeaders } from '../../merchant/signed-headers.ts';
import type { CheckMerchantUrl } from '../../recovery/admin/ports.ts';
import type { SendAlerts } from '../../recovery/alerts/alert-ports.ts';
import { type AlertsApi, createAlertsApi } from '../../recovery/alerts/alerts-api.ts';
import { watchAlerts } from '../../recovery/alerts/watch-alerts.ts';
import { createAlertSettingsStore } from '../../store/alerts/alert-settings-store.ts';
import { createAlertWatchStore } from '../../store/alerts/alert-watch-store.ts';
import { createChannelSealer } from '../../store/alerts/channel-sealer.ts';
import type { AppContext, Closable } from '../context.ts';
import { readAllAlerts } from './read-all-alerts.ts';
import { watchDatabase } from './watch-database.ts';

/** Whom alerts go to, and the work that tells them. */
export interface AlertsModule extends Closable {
  readonly jobs: readonly BackgroundJob[];
  /** What operators change, over their own database. */
  api(context: AppContext, deps: { readonly checkUrl: CheckMerchantUrl }): AlertsApi;
}

export function createAlertsModule(context: AppContext): AlertsModule {
  const { config, db, keys, random, engineTime: machine } = context;
  const { send, close } = sending(context);
  const sealer = createChannelSealer({ db, keys, random, clock: machine });
  const store = createAlertWatchStore({ db, sealer, random });
  const watching = { store, machine, send, readAlerts: () => readAllAlerts(context) };
  // A simulation has no machine of its own to ask by.
  const watch =
    context.simulated === undefined ? watchDatabase(context, { store, send }) : undefined;
  return {
    jobs: [watchAlertsJob({ watch: (input) => watchAlerts(watching, input) })],
    api: (forOperator, { checkUrl }) =>
      createAlertsApi({
        store: createAlertSettingsStore({ db: forOperator.db, sealer }),
        clock: forOperator.clock,
        machine,
        random,
        send,
        checkUrl,
        hasMail: mailSettings(config) !== undefined,
      }),
    async close() {
      await watch?.close();
      await close();
    },
  };
}

function sending(context: AppContext): { readonly send: SendAlerts } & Closable {
  const { config, elapsedMs, engineTime: machine } = context;
  const client = createGuardedClient({
    allow: config.outboundAllow,
    timeoutMs: config.webhookTimeoutMs,
    elapsedMs,
    ...(context.simulated !== undefined && { carrier: context.simulated.carrier }),
  });
  const send = createSendAlerts({
    dashboard: config.operatorUrl,
    mailer: mailerOf(config),
    post: (request) => client.post({ ...request, bodyFor: [] }),
    sign({ secret, ...signed }) {
      const at = machine.now();
      const validityMs = config.webhookSignatureValidityMs;
      return signedHeaders({ ...signed, secrets: [secret], sentAt: at, realAt: at, validityMs });
    },
  });
  return { send, close: () => client.close() };
}

function mailerOf(config: Config): Mailer | undefined {
  const mail = mailSettings(config);
  if (mail === undefined) return undefined;
  const { operatorUrl: dashboard, webhookTimeoutMs: timeoutMs } = config;
  return createMailer({ ...mail, dashboard, timeoutMs });
}

function mailSettings({ smtpUrl, alertSender: sender }: Config) {
  return smtpUrl === undefined || sender === undefined ? undefined : { smtpUrl, sender };
}
