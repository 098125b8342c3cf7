/**
 * Settings of the embedded server where they matter for a payments service, given on its command
 * line at each start so that the running version decides, not the one that made the folder.
 * Source of the meanings: PostgreSQL 18 documentation, chapter "Server Configuration".
 */
export const serverSettings: Readonly<Record<string, string>> = {
  // Only this machine. Beside it a socket file, where there is a folder for one (socket-folder.ts).
  listen_addresses: '127.0.0.1',
  // An acknowledged request is on disk: these three are the defaults, pinned because losing one
  // silently would lose payments.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Whole pages after a checkpoint are most of the log's bytes; pglz is in every build.
  wal_compression: 'pglz',
  // Each checkpoint has every page that changes written whole once more. Keys are scattered, so under load
  // nearly all of them change; with the default of 1 GB that was every minute, and a sixth of the
  // server's CPU. The disk holds that much log more, and recovery after a crash replays it.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  // A process asks for 63 at most (docs/scaling.md); the rest is for tools and a second one.
  max_connections: '100',
  // Enough for the hot tables and indexes of a single machine without claiming its memory.
  shared_buffers: '128MB',
  // Statements are short: compiling one costs more than it saves, and the packages lack LLVM.
  jit: 'off',
  // A transaction lasts milliseconds; one that idles for a minute belongs to a hung process, and
  // its row locks would hold up other workers.
  idle_in_transaction_session_timeout: '60s',
  // Instants are shown and truncated in UTC wherever the machine stands.
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log tells the server's own life (start, crash, recovery). Errors of statements go to the
  // client, which reports them; here they could repeat personal data and fill the disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
};

/** The settings as arguments of `postgres`. */
export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
