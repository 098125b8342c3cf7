import type { SupportedPsps } from '../../src/recovery/admin/ports.ts';

const secret = { required: true, secret: true, meaning: 'A secret of the account.' } as const;

/** What two PSPs' connections need, as the adapters say it. */
export const supportedPsps: SupportedPsps = {
  sandbox: [],
  stripe: [
    { name: 'secret_key', ...secret },
    { name: 'webhook_secret', ...secret },
  ],
};
