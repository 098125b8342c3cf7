import type { OperatorClient } from './operator-client.ts';

/** What every command has at hand. */
export interface Cli {
  /** The operator API of the service that the environment names. */
  open(): Promise<OperatorClient>;
  /** The text of a file, or of standard input for `-`. */
  readFile(path: string): Promise<string>;
  /** Prints an answer: the JSON of the API with `--json`, else the words of `human`. */
  show(options: ShowOptions, json: unknown, human: () => string): void;
}

/** Every command that asks the service has this option. */
export interface ShowOptions {
  readonly json?: true;
}
