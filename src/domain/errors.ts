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
    action: 'Stop it first, or give this one its own folder with DATA_DIR.',
  },
  data_dir_unusable: {
    what: 'The data folder cannot be used.',
    action: 'Check that it exists, is writable and holds a database of this version; see DATA_DIR.',
  },
  port_taken: {
    what: 'A port that Recoup listens on is taken.',
    action:
      'Stop the program that holds it, or set another: RECOVERY_PORT, DISPUTES_PORT, OPERATOR_PORT, PROBE_PORT, DEMO_MERCHANT_PORT, SANDBOX_PSP_PORT.',
  },
  database_unreachable: {
    what: 'The database does not answer.',
    action:
      'Recoup goes on when it is back. An embedded one is started again at once; for one of your own, check that it runs and that DATABASE_URL is right.',
  },
  database_refused: {
    what: 'Nothing takes connections where DATABASE_URL points.',
    action: 'Start the database, or correct the host and port of DATABASE_URL.',
  },
  database_login_refused: {
    what: 'The database does not accept the user or password of DATABASE_URL.',
    action: "Correct them, or what the server's pg_hba.conf lets in.",
  },
  database_unknown: {
    what: 'The server has no database of the name in DATABASE_URL.',
    action: 'Create it (createdb), or correct the name.',
  },
  database_connections_exhausted: {
    what: 'The database takes no more connections.',
    action:
      "Lower DATABASE_POOL, or raise the server's max_connections or the user's connection limit.",
  },
  database_silent: {
    what: 'What DATABASE_URL points to takes connections and says nothing.',
    action: 'Check that a PostgreSQL server listens there, and the network in between.',
  },
  database_read_only: {
    what: 'The database takes no writes.',
    action:
      'Recoup goes on when it does again. Look for a standby, default_transaction_read_only, or a failover under way.',
  },
  database_disk_full: {
    what: "The database's disk is full.",
    action: 'Free space on it; Recoup goes on by itself.',
  },
  database_out_of_resources: {
    what: "The database's server lacks memory, files or a disk that works.",
    action: 'Look at its log and its machine; Recoup goes on by itself.',
  },
  database_newer: {
    what: 'The database was written by a newer version of Recoup.',
    action: 'Start that version, or restore the backup from before the upgrade.',
  },
  database_older: {
    what: 'The database is of an older version of Recoup, and this start is not to migrate it.',
    action: 'Run recoup migrate with the settings of the service, then start again.',
  },
  database_start_failed: {
    what: 'The embedded database did not start.',
    action: 'Read the last lines of postgres.log in the data folder.',
  },
  migration_failed: {
    what: 'The database could not be brought to this version.',
    action:
      'The step was rolled back; restore the version that wrote the database, or read the cause.',
  },
  migration_edited: {
    what: 'A migration that has run on this database was changed since.',
    action: 'Restore the file as it was released; put changes of the schema into a new migration.',
  },
  service_starting: {
    what: 'This process starts.',
    action: 'Send it requests once its /readyz is 200.',
  },
  service_ending: {
    what: 'This process ends: it takes connections for DRAIN_DELAY, and then none.',
    action: 'Send requests to another process.',
  },
  clock_unmeasured: {
    what: "The database's clock could not be measured.",
    action:
      'Check the connection to the database; Recoup goes by its time, and takes work again when it knows that.',
  },
  clock_differs: {
    what: "This machine's clock is too far from the database's.",
    action:
      'Synchronise the clocks of both machines (NTP); this process takes work again by itself.',
  },
  clock_jumped: {
    what: "This machine's clock jumped.",
    action: 'Wait: this process measures its clock again and takes work again by itself.',
  },
  clock_not_movable: {
    what: 'The clock may not be ahead while a merchant has a live connection.',
    action:
      'Use test accounts in the sandbox, or, for live ones, a service whose clock was never moved.',
  },
  restore_check: {
    what: 'What was charged after the restored backup is being recorded.',
    action:
      'Wait, or see with recoup restore-check what it waits for; nothing is charged until it is done.',
  },
  encryption_key_wrong: {
    what: 'The stored secrets do not open with this ENCRYPTION_KEY.',
    action:
      'Start with the key that the data was written with; while it is being replaced, list the other one in OTHER_ENCRYPTION_KEYS.',
  },
  rotation_key_differs: {
    what: "The rotation is to another key than this worker's ENCRYPTION_KEY.",
    action:
      'Restart the worker with that key as ENCRYPTION_KEY and the other one in OTHER_ENCRYPTION_KEYS, then run recoup keys rotate again.',
  },
  key_service_failed: {
    what: 'The key management service did not wrap or unwrap a key.',
    action:
      'Check that it is reached, that the key of ENCRYPTION_KEY is enabled, and that Recoup may encrypt and decrypt with it.',
  },
  operator_unauthorized: {
    what: 'The operator token is missing or wrong.',
    action:
      'Send the OPERATOR_TOKEN of the service as Authorization: Bearer; where nobody set one, it is in the file operator-token of its data folder.',
  },
  operator_forbidden: {
    what: 'What the operator may do does not include this.',
    action: 'Ask an administrator of Recoup for another role or merchant.',
  },
  portal_forbidden: {
    what: 'The portal reads what belongs to one merchant, and this is not part of it.',
    action: 'Use the API with a key of your own, or ask whoever runs Recoup.',
  },
  portal_refused: {
    what: 'What should open the portal is wrong, has expired or was revoked.',
    action: 'Ask for a new link where you got this one, or use an API key that is valid.',
  },
  scope_missing: {
    what: 'The key is valid, and not for this.',
    action: 'Use a key with the scope that the answer names, or have one issued.',
  },
  cross_site_refused: {
    what: 'The request came from a page of another origin, or does not say from which.',
    action: 'Use the dashboard at the address of the operator port, or send the operator token.',
  },
  host_refused: {
    what: 'The Host header names an address that is not served here.',
    action:
      'Ask for the address that this port is known by. Where it has a name, list that in ALLOWED_HOSTS.',
  },
  invalid_request: {
    what: 'The request is not valid.',
    action: 'Correct the fields named in the answer and send it again.',
  },
  card_number_refused: {
    what: 'An id is, or holds, the number of a payment card.',
    action:
      "Send the PSP's id of the method, or an id of your own, in its place: Recoup keeps no card numbers. Where a number of yours only looks like a card's, put a letter directly before its digits.",
  },
  not_found: {
    what: 'It does not exist.',
    action: 'Check the id and the merchant it belongs to.',
  },
  conflict: {
    what: 'The request does not fit the present state.',
    action: 'Read the present state and decide again.',
  },
  merchant_url_refused: {
    what: 'An address that belongs to a merchant may not be called.',
    action: 'Use https and a public address, or add the network to OUTBOUND_ALLOW.',
  },
  merchant_auth_needed: {
    what: "The merchant's stored credentials are of the server that its addresses name now.",
    action:
      'Send auth with the new address: what the new server expects, or {"type":"none"}. Stored credentials never go to another host.',
  },
  psp_credentials_refused: {
    what: 'The PSP does not accept the credentials.',
    action: "Nothing was saved; correct them in the PSP's dashboard or here and send them again.",
  },
  sandbox_only: {
    what: 'This works in the sandbox only.',
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
    what: 'The Content-Type is not that of JSON.',
    action: 'Send Content-Type: application/json.',
  },
  too_many_requests: {
    what: 'Too many requests came in the last minute.',
    action: 'Send it again after the time that Retry-After gives.',
  },
  service_busy: {
    what: 'The service has more of this work than it can take just now.',
    action: 'Send it again after the time that Retry-After gives.',
  },
  database_busy: {
    what: 'Every connection of this process to the database is in use.',
    action:
      'Send it again in a second. If it lasts, raise DATABASE_POOL, or look for what holds the connections.',
  },
  share_busy: {
    what: "The sender's other requests use all the connections to the database that one sender may have.",
    action:
      'Send fewer requests at once, and this one again in a second. DATABASE_POOL_PER_MERCHANT says how many there are.',
  },
  merchant_moving: {
    what: 'The merchant is on its way to another cell.',
    action: 'Send it again after the time that Retry-After gives.',
  },
  merchant_not_here: {
    what: 'This cell has no merchant of that id.',
    action:
      "Check DATABASE_URL and DATABASE_SCHEMA: a move is run with the settings of the merchant's present cell.",
  },
  merchant_moved: {
    what: 'The merchant has moved to another cell.',
    action: "Ask there; a move from there is run with that cell's settings.",
  },
  move_under_way: {
    what: 'Another command works on this move.',
    action: 'Wait for its end. One that was killed lets go once its connection is closed.',
  },
  move_cells_same: {
    what: 'Both cells have the same name.',
    action: 'Name another cell in the file of --to: keys tell cells apart by their names.',
  },
  move_cell_name_taken: {
    what: 'Keys of the merchant name a cell, and the other cell knows another Recoup by that name.',
    action:
      'Its keys would not be known there. Move it to a cell that no merchant of the other one of that name has come to.',
  },
  move_schemas_differ: {
    what: 'The two cells are not of the same version.',
    action: 'Bring both to one version with recoup migrate.',
  },
  move_clocks_differ: {
    what: 'The clocks of the two cells differ.',
    action: 'Synchronise the database servers (NTP); move the clock of a sandbox that is behind.',
  },
  move_not_at_node: {
    what: 'The address of a cell on Citus is not that of the node that holds it.',
    action: "Give the node's address in DATABASE_URL, as the cell's processes have it.",
  },
  move_messages_stay: {
    what: "The merchant's customers were written to, or sent to its page, from this cell.",
    action:
      'It stays in its cell: links, stops and who must not be written to any more are told by a key of the cell, and would not hold in another.',
  },
  move_target_taken: {
    what: 'The other cell has a merchant of that id.',
    action:
      'If it is the copy of an earlier stay there, remove that first: recoup merchants move --clear.',
  },
  move_target_differs: {
    what: 'The move was begun to another cell than the one of --to.',
    action: 'Name that one, or take the move back with --back and the settings of that one.',
  },
  move_not_drained: {
    what: 'Work of the merchant was still under way at the end of --drain-timeout.',
    action: 'Run the command again, which goes on, or take the move back with --back.',
  },
  move_rows_differ: {
    what: 'The rows in the two cells are not the same.',
    action:
      'Nothing was switched. Take the move back with --back, and report this: rows were changed on their way.',
  },
  move_abandoned: {
    what: 'The move is being taken back.',
    action: 'Run it with --back until that is done, and begin anew.',
  },
  move_unknown: {
    what: 'This cell has no move of that merchant.',
    action: 'Run the command with the settings of the cell that the merchant leaves.',
  },
  move_switched: {
    what: 'The merchant is in the other cell already.',
    action: 'Run the command without --back to end the move; a way back is a move from there.',
  },
  move_not_switched: {
    what: 'The merchant has not moved yet.',
    action: 'Run the command without --clear until it says that the merchant has moved.',
  },
  caller_gone: {
    what: 'Whoever asked left before the work was begun.',
    action: 'Nothing; nothing was done.',
  },
  psp_not_connected: {
    what: 'The merchant is unknown or has no connection to this PSP.',
    action: "Compare the address with the merchant's webhook_url in the operator API.",
  },
  psp_webhook_unverified: {
    what: 'The webhook has no valid signature of this account.',
    action: "Compare the connection's webhook secret with the one that the PSP shows.",
  },
  psp_webhook_malformed: {
    what: 'The webhook could not be read.',
    action: 'Send the event exactly as the PSP sends it.',
  },
  psp_webhook_unavailable: {
    what: 'The webhook could not be completed, since the PSP did not answer a question about it.',
    action: 'Send it again later; PSPs do so by themselves.',
  },
  not_acceptable: {
    what: 'The answer is not available in the format of the Accept header.',
    action: 'Ask for a type that the call offers, such as application/json.',
  },
  evidence_not_taken: {
    what: 'The PSP did not accept the evidence.',
    action: "Read its reason, and submit it again or give the PSP the evidence's PDF by hand.",
  },
  evidence_incomplete: {
    what: 'The PSP asks for files that are not there, or has no place for one that is. Nothing was sent.',
    action: 'Add the file that it names, or remove the one without a place, and submit again.',
  },
  acceptance_not_taken: {
    what: 'The PSP did not let the dispute be accepted.',
    action: "Read its reason, and accept it again or in the PSP's dashboard.",
  },
  attachment_refused: {
    what: 'The file is none that is taken with evidence.',
    action: 'Send a PDF, a PNG or a JPEG, whole, as the body of the request.',
  },
  attachment_too_large: {
    what: 'The file is too large.',
    action: 'Send at most 5,000,000 bytes: compress the images in it, or send it in parts.',
  },
  internal_error: {
    what: 'An internal error occurred in Recoup.',
    action: 'Try again; if it persists, read the log of the service.',
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

  constructor(code: ErrorCode, detail?: string, options?: ErrorOptions) {
    const entry = errorRegistry[code];
    const what = detail ?? entry.what;
    super(`${what} ${entry.action} [${code}]`, options);
    this.name = 'AppError';
    this.code = code;
    this.detail = what;
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
