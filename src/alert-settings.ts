import { optional } from './setting.ts';
import { line, smtpUrl } from './setting-values.ts';

/** How alerts are sent by e-mail; where they go is said on the page. */
export const alertSettings = {
  smtpUrl: optional(smtpUrl, {
    env: 'SMTP_URL',
    group: 'Alerts',
    secret: true,
    defaultText: 'none: alerts and messages to customers are not sent by e-mail',
    meaning:
      'The mail server that sends alerts and messages to customers: `smtp://user:password@host:587`, which switches to TLS if the server offers it, or `smtps://…:465`.',
  }),
  alertSender: optional(line, {
    env: 'ALERT_SENDER',
    group: 'Alerts',
    defaultText: 'none',
    meaning: 'The sender, such as `Recoup <alerts@example.com>`. Required with SMTP_URL.',
  }),
};
