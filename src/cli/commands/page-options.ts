import { type Command, InvalidArgumentError } from 'commander';
import type { ShowOptions } from '../cli.ts';

export interface PageOptions extends ShowOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** The options of every list. */
export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'items per page, 1 to 200 (default: 50)', readWhole)
    .option('--cursor <cursor>', 'continue where the previous page ended');
}

/** A whole number of an option; anything else is wrong usage. */
export function readWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
