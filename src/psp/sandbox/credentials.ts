import type { PspCredentialField } from '../../recovery/operator-api.ts';

/** The sandbox PSP is Recoup's own: a connection to it needs no credentials. */
export const sandboxCredentials: readonly PspCredentialField[] = [];
