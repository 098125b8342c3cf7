import { judgeSignature } from '../../merchant/judge-signature.ts';
import { sentHeaders } from '../../merchant/sent-headers.ts';
import type { OperatorReports } from '../../recovery/admin/ports.ts';
import type { AdminApi, WebhookViews } from '../../recovery/operator-api.ts';
import type { AppContext } from '../context.ts';
import type { MerchantModule } from '../merchant-module.ts';

/** What operators see of webhooks, joined with what signs and sends them. */
export function createWebhookViews(deps: {
  readonly context: Pick<AppContext, 'clock' | 'config'>;
  readonly reports: Pick<OperatorReports, 'findDelivery' | 'readEndpoints' | 'countExhausted'>;
  readonly merchants: Pick<MerchantModule, 'directory'>;
  readonly showMerchant: AdminApi['showMerchant'];
}): WebhookViews {
  const { context, reports, merchants } = deps;
  const { clock, config } = context;
  return {
    listEndpoints: (input) => reports.readEndpoints({ ...input, now: clock.now() }),
    countExhausted: (input) => reports.countExhausted(input),
    async showDelivery(input) {
      const [found, merchant] = await Promise.all([
        reports.findDelivery(input),
        deps.showMerchant(input.merchantId),
      ]);
      if (found === undefined || merchant === undefined) return undefined;
      const { delivery, body } = found;
      const headers = sentHeaders({
        eventId: delivery.eventId,
        type: delivery.type,
        sentAt: delivery.log.at(-1)?.sentAt,
        authType: merchant.authType,
        signatureValidityMs: config.webhookSignatureValidityMs,
      });
      return { delivery, body, headers };
    },
    async testSignature({ merchantId, ...test }) {
      const { signingSecrets } = await merchants.directory.merchantSecrets(merchantId);
      return judgeSignature({ ...test, secrets: signingSecrets, now: clock.now() });
    },
  };
}
