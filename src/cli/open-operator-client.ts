import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { type Environment, parseSettings } from '../config.ts';
import { operatorTokenPath } from '../local-secrets.ts';
import { createOperatorClient, type OperatorClient } from './operator-client.ts';

const wanted = ['operatorUrl', 'host', 'operatorPort', 'operatorToken', 'dataDir'] as const;

/**
 * The client of the service that the settings name: OPERATOR_URL, or HOST at OPERATOR_PORT,
 * with OPERATOR_TOKEN, or the one that a service without it keeps in DATA_DIR. Throws AppError
 * config_invalid for a faulty setting.
 */
export async function openOperatorClient(env: Environment): Promise<OperatorClient> {
  const settings = parseSettings(env, wanted);
  const url =
    settings.operatorUrl ?? `http://${reachableHost(settings.host)}:${settings.operatorPort}`;
  const token = settings.operatorToken ?? (await keptToken(settings.dataDir));
  return createOperatorClient(token === undefined ? { url } : { url, token });
}

async function keptToken(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(operatorTokenPath(dataDir), 'utf8')).trim();
  } catch {
    // Not there, or not for this user: the service's own answer says what is missing.
    return undefined;
  }
}

/** The address to call for one that a service binds to, as it stands in a URL. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
