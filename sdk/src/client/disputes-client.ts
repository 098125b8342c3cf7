import { basicCredentials } from '../merchant-auth.ts';
import { requireText } from '../require-text.ts';
import { type AnalyticsBatch, analyticsBatch } from './analytics-batch.ts';
import { type ClientOptions, clientDeps } from './client-options.ts';
import { type DisputesOperations, disputesOperations } from './generated/disputes.ts';
import { operationsOver } from './operation.ts';
import { createTransport } from './transport.ts';

export interface DisputesClientOptions extends ClientOptions {
  /** Such as https://disputes.example.com. */
  readonly baseUrl: string;
  /** Your merchant id. */
  readonly username: string;
  /** A disputes password. */
  readonly password: string;
}

export interface DisputesClient extends DisputesOperations {
  readonly createAnalyticsBatch: AnalyticsBatch;
}

/**
 * A client of the disputes API. Each call that may be repeated is, after a broken connection, a
 * time-out, 429 and 5xx; what fails for good throws RecoupApiError or RecoupConnectionError.
 * Throws TypeError at once where the address or the credentials are missing.
 */
export function createDisputesClient(options: DisputesClientOptions): DisputesClient {
  const { baseUrl, username, password, ...rest } = options;
  requireText('baseUrl', baseUrl);
  requireText('username', username);
  requireText('password', password);
  const credentials = { authorization: `Basic ${basicCredentials(username, password)}` };
  const transport = createTransport(clientDeps(rest), { baseUrl, credentials });
  return {
    ...operationsOver<DisputesOperations>(transport, disputesOperations),
    createAnalyticsBatch: analyticsBatch(transport),
  };
}
