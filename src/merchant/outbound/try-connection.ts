import { createAddressGuard, type GuardSettings } from './address-guard.ts';
import { failureOf } from './failure.ts';
import { guardedConnector } from './guarded-connector.ts';

export type Connection =
  | { readonly kind: 'reached' }
  | { readonly kind: 'failed'; readonly detail: string };

export interface TryConnectionSettings extends GuardSettings {
  readonly timeoutMs: number;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string;
}

/**
 * Whether a merchant's server can be reached: its name resolves, the address may be called, it
 * connects and, for https, its certificate is good. Nothing is sent after that.
 */
export async function tryConnection(
  settings: TryConnectionSettings,
  url: string,
): Promise<Connection> {
  const guard = createAddressGuard({ ...settings, resolveTimeoutMs: settings.timeoutMs });
  const reading = guard.readUrl(url);
  if (reading.kind === 'refused') return { kind: 'failed', detail: reading.detail };
  const { protocol, hostname, port } = reading.url;
  const connect = guardedConnector(guard, settings);
  return new Promise((resolve) => {
    connect({ protocol, hostname, port, servername: hostname }, (error, socket) => {
      if (error !== null) return resolve({ kind: 'failed', detail: failureOf(error).detail });
      socket.destroy();
      resolve({ kind: 'reached' });
    });
  });
}
