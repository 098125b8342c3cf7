import { optional, withDefault } from './setting.ts';
import { databaseUrl, duration, port, schemaName, yesOrNo } from './setting-values.ts';

/** The probe port where none is set, as long as nobody else has it. */
export const usualProbePort = 9464;
/** How long load balancers are given by default to see that a process ends. */
export const usualDrainDelayMs = 5_000;

/** How a process is watched, and how it ends. */
export const processSettings = {
  probePort: optional(port, {
    env: 'PROBE_PORT',
    group: 'Listening',
    defaultText: `\`${usualProbePort}\`, or a free one where that is taken`,
    meaning:
      'The port for `/healthz`, `/readyz` and `/metrics` of this process, whatever its roles. They need no token, so keep it inside your network. The start prints the address.',
  }),
  drainDelayMs: optional(duration('0ms', '10m'), {
    env: 'DRAIN_DELAY',
    group: 'Listening',
    defaultText: '`5s` with DATABASE_URL, else `0s`',
    meaning:
      'After SIGTERM or SIGINT, how long `/readyz` answers 503 while connections are still accepted, so that load balancers stop sending requests. A process with only the role `worker` skips it, and a second signal ends it.',
  }),
  databaseSchema: optional(schemaName, {
    env: 'DATABASE_SCHEMA',
    group: 'Data',
    defaultText: 'no cell: the default schema of the login, usually `public`',
    meaning:
      'The name of a cell: a whole Recoup in a schema of this name, with roles and jobs of its own, beside others in one database. The same for every process of the cell, and never changed.',
  }),
  migrateOnStart: withDefault(yesOrNo, {
    env: 'MIGRATE_ON_START',
    group: 'Data',
    default: 'true',
    meaning:
      'Whether a start migrates the schema to its version. `false`: it refuses an older one (`database_older`), and `recoup migrate` is run before an upgrade.',
  }),
  reportsDatabaseUrl: optional(databaseUrl, {
    env: 'REPORTS_DATABASE_URL',
    group: 'Data',
    secret: true,
    defaultText: 'DATABASE_URL',
    meaning:
      'A replica of DATABASE_URL, with the same user, that the reports of the operator’s API are read from. While it fails, they are read from DATABASE_URL.',
  }),
  drainTimeMs: withDefault(duration('1s', '1d'), {
    env: 'DRAIN_TIME',
    group: 'Listening',
    default: '75s',
    meaning:
      'How long the process may continue after the signal, DRAIN_DELAY included. Work still in progress then is taken over by other processes when its lease ends. Whatever kills processes by force must wait longer than this.',
  }),
};
