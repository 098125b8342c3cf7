import { optional } from './setting.ts';
import { line, smtpUrl } from './setting-values.ts';

/** How alerts are sent by e-mail; where they go is said on the page. */
export const alertSettings = {
  smtpUrl: optional(smtpUrl, {
    env: 'SMTP_URL',
    group: 'Alerts',
    secret: true,
    defaultText: 'none: alerts and messages to customers go by no e-mail',
    meaning:
      'The mail server that alerts and messages to customers are sent by: `smtp://user:password@host:587`, which goes over to TLS where the server offers it, or `smtps://…:465`.',
  }),
  alertSender: optional(line, {
    env: 'ALERT_SENDER',
    group: 'Alerts',
    defaultText: 'none',
    meaning: 'Whom they are from, such as `Recoup <alerts@example.com>`. Goes with SMTP_URL.',
  }),
};
