import type { DocsOptions } from '../docs/add-docs.ts';

/** The reference of the recovery API: its own calls, and those that the service makes to merchants. */
export function recoveryDocs(merchantOpenApi: () => object): DocsOptions {
  return {
    title: 'Recoup recovery API',
    securityScheme: 'apiKey',
    documents: [
      {
        title: 'Recovery API',
        file: 'openapi.json',
        make: async () => (await import('./recovery-open-api.ts')).recoveryOpenApi(),
        isOfThisServer: true,
      },
      {
        title: 'Endpoints that you host',
        file: 'merchant.json',
        make: async () => merchantOpenApi(),
        isOfThisServer: false,
      },
    ],
  };
}
