/**
 * Every error code of the project, once. A code is never reused for another meaning. `what` says
 * what is wrong when the error carries no words of its own; `action` says what to do.
 * docs/errors.md is generated from this table.
 */
export const errorRegistry = {
  config_invalid: {
    what: 'A setting has an invalid value.',
    action: 'Correct the setting; docs/settings.md lists each with its type and default.',
  },
  data_dir_in_use: {
    what: 'Another Recoup is running on this data folder.',
    action: 'Stop it first, or give this one a folder of its own with DATA_DIR.',
  },
  data_dir_unusable: {
    what: 'The data folder cannot be used.',
    action:
      'Check that it exists, is writable and holds a database of this version; DATA_DIR sets its path.',
  },
  port_taken: {
    what: 'A port that Recoup listens on is already in use.',
    action:
      'Stop the program that uses it, or set another port: RECOVERY_PORT, DISPUTES_PORT, OPERATOR_PORT, PROBE_PORT, DEMO_MERCHANT_PORT, SANDBOX_PSP_PORT.',
  },
  database_unreachable: {
    what: 'The database does not answer.',
    action:
      'Recoup resumes when it does. The embedded database is restarted at once; for your own, check that it runs and that DATABASE_URL is right.',
  },
  database_refused: {
    what: 'Nothing accepts connections at the address in DATABASE_URL.',
    action: 'Start the database, or correct the host and port in DATABASE_URL.',
  },
  database_login_refused: {
    what: 'The database rejects the user or password in DATABASE_URL.',
    action: "Correct them, or allow this login in the server's pg_hba.conf.",
  },
  database_unknown: {
    what: 'The server has no database with the name in DATABASE_URL.',
    action: 'Create it (createdb), or correct the name.',
  },
  database_connections_exhausted: {
    what: 'The database accepts no more connections.',
    action:
      "Lower DATABASE_POOL, or raise the server's max_connections or the user's connection limit.",
  },
  database_silent: {
    what: 'The address in DATABASE_URL accepts connections but does not respond.',
    action: 'Check that a PostgreSQL server listens there, and check the network in between.',
  },
  database_read_only: {
    what: 'The database accepts no writes.',
    action:
      'Recoup resumes when it does. Check for a standby, default_transaction_read_only, or a failover in progress.',
  },
  database_disk_full: {
    what: "The database's disk is full.",
    action: 'Free some space; Recoup resumes by itself.',
  },
  database_out_of_resources: {
    what: 'The database server is out of memory or file handles, or its disk has failed.',
    action: 'Check its log and its machine; Recoup resumes by itself.',
  },
  database_newer: {
    what: 'The database was written by a newer version of Recoup.',
    action: 'Start that version, or restore the backup made before the upgrade.',
  },
  database_older: {
    what: 'The database was written by an older version of Recoup, and this start may not migrate it.',
    action: "Run recoup migrate with the service's settings, then start again.",
  },
  database_start_failed: {
    what: 'The embedded database did not start.',
    action: 'Read the last lines of postgres.log in the data folder.',
  },
  migration_failed: {
    what: 'The database could not be migrated to this version.',
    action:
      'The failed step was rolled back. Read the cause, or go back to the version that wrote the database.',
  },
  migration_edited: {
    what: 'A migration that has already run on this database was changed afterwards.',
    action: 'Restore the file as it was released; put schema changes into a new migration.',
  },
  service_starting: {
    what: 'This process is still starting.',
    action: 'Send requests to it once /readyz answers 200.',
  },
  service_ending: {
    what: 'This process is shutting down: it accepts connections for DRAIN_DELAY, then none.',
    action: 'Send requests to another process.',
  },
  clock_unmeasured: {
    what: "The database's clock could not be measured.",
    action:
      "Check the connection to the database. Recoup runs on the database's time and takes work again once it knows it.",
  },
  clock_differs: {
    what: "This machine's clock is too far from the database's.",
    action:
      'Synchronise the clocks of both machines (NTP); this process takes work again by itself.',
  },
  clock_jumped: {
    what: "This machine's clock jumped.",
    action: 'Wait: this process measures its clock again, then takes work again by itself.',
  },
  clock_not_movable: {
    what: 'The clock may not be moved ahead while a merchant has a live connection.',
    action:
      'Use test accounts in the sandbox; for live accounts, use a service whose clock was never moved.',
  },
  restore_check: {
    what: 'Charges made after the restored backup was taken are still being recorded.',
    action:
      'Wait; nothing is charged until this is done. recoup restore-check shows what it is waiting for.',
  },
  encryption_key_wrong: {
    what: 'The stored secrets cannot be decrypted with this ENCRYPTION_KEY.',
    action:
      'Start with the key that encrypted the data; while replacing it, list the other key in OTHER_ENCRYPTION_KEYS.',
  },
  rotation_key_differs: {
    what: "The rotation targets a different key than this worker's ENCRYPTION_KEY.",
    action:
      'Restart the worker with that key as ENCRYPTION_KEY and the other one in OTHER_ENCRYPTION_KEYS, then run recoup keys rotate again.',
  },
  key_service_failed: {
    what: 'The key management service did not wrap or unwrap a key.',
    action:
      'Check that it can be reached, that the key named in ENCRYPTION_KEY is enabled, and that Recoup may encrypt and decrypt with it.',
  },
  operator_unauthorized: {
    what: 'The operator token is missing or wrong.',
    action:
      "Send the service's OPERATOR_TOKEN as Authorization: Bearer. If none was set, it is in the file operator-token in the data folder.",
  },
  operator_forbidden: {
    what: 'Your role or your merchants do not allow this.',
    action: 'Ask an administrator of Recoup for another role or for access to the merchant.',
  },
  portal_forbidden: {
    what: 'The portal shows only what belongs to one merchant; this does not.',
    action: 'Use the API with your own key, or ask whoever runs Recoup.',
  },
  portal_refused: {
    what: 'The link or key for the portal is wrong, has expired or was revoked.',
    action: 'Ask for a new link where you got this one, or use a valid API key.',
  },
  scope_missing: {
    what: 'The key is valid but lacks the scope that this needs.',
    action: 'Use a key with the scope named in the answer, or have one issued.',
  },
  cross_site_refused: {
    what: 'The request came from a page of another origin, or does not name its origin.',
    action: 'Open the dashboard at the address of the operator port, or send the operator token.',
  },
  host_refused: {
    what: 'The Host header names an address that is not served here.',
    action:
      'Use an address that this port is known by. If it has a name, list the name in ALLOWED_HOSTS.',
  },
  invalid_request: {
    what: 'The request is not valid.',
    action: 'Correct it and send it again.',
  },
  card_number_refused: {
    what: 'An id is, or contains, a payment card number.',
    action:
      "Send the PSP's id of the method, or an id of your own, instead: Recoup stores no card numbers. If your number only looks like one, put a letter directly before its digits.",
  },
  not_found: {
    what: 'What you asked for does not exist.',
    action: 'Check the id and the merchant it belongs to.',
  },
  conflict: {
    what: 'The request does not fit the current state.',
    action: 'Read the current state and decide again.',
  },
  merchant_url_refused: {
    what: "Recoup may not call one of the merchant's addresses.",
    action: 'Use https and a public address, or add the network to OUTBOUND_ALLOW.',
  },
  merchant_auth_needed: {
    what: "The merchant's stored credentials belong to the server at its current addresses.",
    action:
      'Send auth with the new address: what the new server expects, or {"type":"none"}. Stored credentials are never sent to another host.',
  },
  psp_credentials_refused: {
    what: 'The PSP rejected the credentials.',
    action: "Nothing was saved. Correct them in the PSP's dashboard or here, and send them again.",
  },
  sandbox_only: {
    what: 'This works only in the sandbox.',
    action: 'Start Recoup with SANDBOX=true to use it.',
  },
  method_not_allowed: {
    what: 'This path does not accept this method.',
    action: 'Use one of the methods in the Allow header.',
  },
  payload_too_large: {
    what: 'The body is too large.',
    action: 'Send at most 64 KiB.',
  },
  report_too_large: {
    what: 'The report is too large.',
    action:
      'Send at most 4 MiB: take it over fewer days, or cut it into parts that each begin with the names of the columns.',
  },
  unsupported_media_type: {
    what: 'The Content-Type is not JSON.',
    action: 'Send Content-Type: application/json.',
  },
  too_many_requests: {
    what: 'Too many requests arrived in the last minute.',
    action: 'Send it again after the time in Retry-After.',
  },
  service_busy: {
    what: 'The service has more work of this kind than it can take right now.',
    action: 'Send it again after the time in Retry-After.',
  },
  database_busy: {
    what: "All of this process's database connections are in use.",
    action:
      'Send it again in a second. If this persists, raise DATABASE_POOL, or find out what holds the connections.',
  },
  share_busy: {
    what: "The sender's other requests use all the database connections that one sender may have.",
    action:
      'Send fewer requests at once, and this one again in a second. DATABASE_POOL_PER_MERCHANT sets how many there are.',
  },
  merchant_moving: {
    what: 'The merchant is being moved to another cell.',
    action: 'Send it again after the time in Retry-After.',
  },
  merchant_not_here: {
    what: 'This cell has no merchant with this id.',
    action:
      "Check DATABASE_URL and DATABASE_SCHEMA: run a move with the settings of the merchant's current cell.",
  },
  merchant_moved: {
    what: 'The merchant has moved to another cell.',
    action: "Send the request there; run a move from there with that cell's settings.",
  },
  move_under_way: {
    what: 'Another command is working on this move.',
    action: 'Wait until it ends. A killed command releases the move once its connection is closed.',
  },
  move_cells_same: {
    what: 'Both cells have the same name.',
    action: 'Name another cell in the file of --to: API keys tell cells apart by name.',
  },
  move_cell_name_taken: {
    what: "Some of the merchant's keys name a cell, and the target cell knows a different Recoup by that name.",
    action:
      'Its keys would not be recognised there. Choose a target cell that has received no merchant from the other Recoup of that name.',
  },
  move_schemas_differ: {
    what: 'The two cells run different versions.',
    action: 'Bring both to the same version with recoup migrate.',
  },
  move_clocks_differ: {
    what: "The two cells' clocks differ.",
    action: 'Synchronise the database servers (NTP); in a sandbox, move the clock that is behind.',
  },
  move_not_at_node: {
    what: 'The address of a cell on Citus is not that of the node that holds it.',
    action: "Set DATABASE_URL to the node's address, as the cell's processes have it.",
  },
  move_messages_stay: {
    what: 'Customers of this merchant were written to, or given links to its page, from this cell.',
    action:
      'The merchant has to stay: links, opt-outs and addresses that must not be written to are recognised by a key of this cell and would not work in another.',
  },
  move_target_taken: {
    what: 'The target cell already has a merchant with this id.',
    action:
      'If it is the copy left by an earlier stay there, remove it first: recoup merchants move --clear.',
  },
  move_target_differs: {
    what: 'The move was begun to a different cell than the one in --to.',
    action: "Name that cell, or take the move back with --back and that cell's settings.",
  },
  move_not_drained: {
    what: "Some of the merchant's work was still running when --drain-timeout ended.",
    action: 'Run the command again to continue, or take the move back with --back.',
  },
  move_rows_differ: {
    what: 'The rows in the two cells are not the same.',
    action:
      'Nothing was switched. Take the move back with --back, and report this: rows changed while they were copied.',
  },
  move_abandoned: {
    what: 'The move is being taken back.',
    action: 'Run it with --back until that is done, then start over.',
  },
  move_unknown: {
    what: 'This cell has no move of this merchant.',
    action: 'Run the command with the settings of the cell that the merchant is leaving.',
  },
  move_switched: {
    what: 'The merchant is already in the other cell.',
    action:
      'Run the command without --back to finish the move. To bring the merchant back, start a move from there.',
  },
  move_not_switched: {
    what: 'The merchant has not moved yet.',
    action: 'Run the command without --clear until it reports that the merchant has moved.',
  },
  caller_gone: {
    what: 'The caller disconnected before the work began.',
    action: 'Nothing to do: nothing was changed.',
  },
  psp_not_connected: {
    what: 'The merchant is unknown or has no connection to this PSP.',
    action: "Compare the address with the merchant's webhook_url in the operator API.",
  },
  psp_webhook_unverified: {
    what: 'The webhook has no valid signature for this account.',
    action: "Compare the connection's webhook secret with the one that the PSP shows.",
  },
  psp_webhook_malformed: {
    what: 'The webhook could not be read.',
    action: 'Send the event exactly as the PSP sends it.',
  },
  psp_webhook_unavailable: {
    what: 'The webhook could not be processed because the PSP did not answer a query about it.',
    action: 'Send it again later; PSPs do so by themselves.',
  },
  not_acceptable: {
    what: 'The answer is not available in a format that the Accept header allows.',
    action: 'Ask for a type that the call offers, such as application/json.',
  },
  evidence_not_taken: {
    what: 'The PSP did not accept the evidence.',
    action: "Read the PSP's reason, then submit again or give the PSP the evidence PDF by hand.",
  },
  evidence_incomplete: {
    what: 'The PSP requires files that are missing, or has no place for one that was added. Nothing was sent.',
    action:
      'Add the file that it names, or remove the one that it has no place for, and submit again.',
  },
  acceptance_not_taken: {
    what: 'The PSP did not let Recoup accept the dispute.',
    action: "Read the PSP's reason, then accept it again here or in the PSP's dashboard.",
  },
  attachment_refused: {
    what: 'The file is not of a type accepted as evidence.',
    action: 'Send a complete PDF, PNG or JPEG file as the body of the request.',
  },
  attachment_too_large: {
    what: 'The file is too large.',
    action: 'Send at most 5,000,000 bytes: compress its images, or split it into several files.',
  },
  internal_error: {
    what: 'An internal error occurred in Recoup.',
    action: "Try again; if it persists, read the service's log.",
  },
  service_unreachable: {
    what: 'The service did not answer at its operator address.',
    action: 'Start it with npm start, or set OPERATOR_URL and OPERATOR_TOKEN.',
  },
} as const satisfies Readonly<Record<string, { what: string; action: string }>>;

export type ErrorCode = keyof typeof errorRegistry;

/**
 * The world outside is broken, or a user's input is: the one error class that crosses rings. Its
 * message is a single line: what is wrong, what to do, and the code.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** What is wrong in this case, without the advice. */
  readonly detail: string;
  /** The advice: the registry's, unless this case has one of its own. */
  readonly action: string;

  constructor(code: ErrorCode, detail?: string, options?: ErrorOptions & { action?: string }) {
    const entry = errorRegistry[code];
    const what = detail ?? entry.what;
    const action = options?.action ?? entry.action;
    super(`${what} ${action} [${code}]`, options);
    this.name = 'AppError';
    this.code = code;
    this.detail = what;
    this.action = action;
  }
}

/** A promise of our own is broken: a defect, never an answer to bad input. Carries no user data. */
export class InvariantError extends Error {
  constructor(invariant: string) {
    super(`Invariant broken: ${invariant}`);
    this.name = 'InvariantError';
  }
}

/** Asserts a promise of our own, in production too. */
export function invariant(holds: boolean, words: string): asserts holds {
  if (!holds) throw new InvariantError(words);
}
