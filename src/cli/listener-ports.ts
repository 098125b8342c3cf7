import { type Environment, parseSettings } from '../config.ts';
import { reachableHost } from './open-operator-client.ts';

/** A listener that the settings name besides the operator's. */
export interface ListenerPort {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Where the APIs of merchants listen by the settings; none for a service elsewhere, of whose ports
 * these settings say nothing. Throws AppError config_invalid for a faulty setting.
 */
export function listenerPorts(env: Environment): readonly ListenerPort[] {
  const settings = parseSettings(env, ['operatorUrl', 'host', 'recoveryPort', 'disputesPort']);
  if (settings.operatorUrl !== undefined) return [];
  const host = reachableHost(settings.host);
  return [
    { name: 'recovery API', host, port: settings.recoveryPort },
    { name: 'disputes API', host, port: settings.disputesPort },
  ];
}
