import { requireText } from '../require-text.ts';
import { type ClientOptions, clientDeps } from './client-options.ts';
import { type RecoveryOperations, recoveryOperations } from './generated/recovery.ts';
import { operationsOver } from './operation.ts';
import { createTransport } from './transport.ts';

export interface RecoveryClientOptions extends ClientOptions {
  /** Such as https://recovery.example.com. */
  readonly baseUrl: string;
  /** Your recovery API key. */
  readonly apiKey: string;
}

/**
 * A client of the recovery API. Each call is repeated after a broken connection, a time-out, 429 and
 * 5xx, under one idempotency key; what fails for good throws RecoupApiError or RecoupConnectionError.
 * Throws TypeError at once where the address or the key is missing.
 */
export function createRecoveryClient(options: RecoveryClientOptions): RecoveryOperations {
  const { baseUrl, apiKey, ...rest } = options;
  requireText('baseUrl', baseUrl);
  requireText('apiKey', apiKey);
  const target = { baseUrl, credentials: { 'x-api-key': apiKey } };
  return operationsOver(createTransport(clientDeps(rest), target), recoveryOperations);
}
