import type { Environment } from '../config.ts';
import type { DatabaseAddress } from '../store/cell.ts';
import type { ListenerPort } from './listener-ports.ts';
import type { OperatorClient } from './operator-client.ts';
import type { Progress } from './progress.ts';

/** What every command has at hand. */
export interface Cli {
  /** The operator API of the service that the environment names. */
  open(): Promise<OperatorClient>;
  /** Where the other APIs of that service listen. */
  listenerPorts(): Promise<readonly ListenerPort[]>;
  /** DATABASE_URL of the service that the environment names, and its cell; undefined: an embedded database. */
  database(): DatabaseAddress | undefined;
  /** The settings of the service, as environment variables. */
  environment(): Environment;
  /** The text of a file, or of standard input for `-`. */
  readFile(path: string): Promise<string>;
  /** The bytes of a file. */
  readBytes(path: string): Promise<Uint8Array>;
  /** Writes a file that is there once it is complete, and that its owner alone may read. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes what comes bit by bit: into a file that is there once it is complete, and that its owner
   * alone may read, or to standard output.
   */
  save(path: string | undefined, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Prints an answer: the JSON of the API with `--json`, else the words of `human`. */
  show(options: ShowOptions, json: unknown, human: () => string): void;
  /** Prints one line of an answer that goes on. */
  line(text: string): void;
  /** Tells a person something beside the answer, on standard error. */
  note(text: string): void;
  readonly progress: Progress;
  now(): Date;
  /** A signing secret for local use. */
  newSecret(): string;
  pause(ms: number): Promise<void>;
}

/** Every command that asks the service has this option. */
export interface ShowOptions {
  readonly json?: true;
}
