import { settings } from './settings.ts';

/** A variable that nothing reads, and the setting that it was probably meant to be. */
export interface MisspeltSetting {
  readonly variable: string;
  readonly meant: string;
}

const names: readonly string[] = Object.values(settings).map(({ env }) => env);

/**
 * Variables whose names are all but a setting's: a slip there leaves the setting at its default, and
 * `DATABASE_URI` would start a sandbox where a server was meant. Names of others are passed over, since the
 * environment is everybody's; so is a near name beside the setting itself, which is there for somebody else.
 */
export function misspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
): readonly MisspeltSetting[] {
  return Object.entries(env).flatMap(([variable, value]) => {
    if (value === undefined || names.includes(variable) || isServiceLink(value)) return [];
    const meant = names.find((name) => isMeant(variable, name));
    return meant === undefined || env[meant] !== undefined ? [] : [{ variable, meant }];
  });
}

/** What Kubernetes and Docker tell of services beside a process: `RECOUP_OPERATOR_PORT=tcp://10.0.0.7:8082`. */
function isServiceLink(value: string): boolean {
  return /^(tcp|udp|sctp):\/\//.test(value);
}

/** A part that names a product's own settings, and units that ours have in the value. */
const ourPrefix = /^RECOUP_/;
const unit = /_(MS|MILLISECONDS|S|SEC|SECS|SECONDS|MIN|MINUTES)$/;
/** Shorter ones are too near to what others call theirs. */
const shortestName = 'ROLES'.length;

function isMeant(variable: string, name: string): boolean {
  const upper = variable.toUpperCase();
  if (upper.replace(ourPrefix, '') === name && upper !== name) return true;
  if (name.length < shortestName) return false;
  const plain = upper.replace(ourPrefix, '').replace(unit, '');
  return squashed(plain) === squashed(name) || areWordsNear(plain, name);
}

function squashed(name: string): string {
  return name.replace(/[-_.]/g, '');
}

/** The same words in the same order, one or two of their letters aside. */
function areWordsNear(variable: string, name: string): boolean {
  const words = name.split('_');
  const given = variable.split('_');
  if (given.length !== words.length) return false;
  let slips = 0;
  for (const [index, word] of words.entries()) slips += slipsIn(given[index] ?? '', word);
  return slips <= mostSlips;
}

const mostSlips = 2;
const tooMany = mostSlips + 1;

/** How many letters of a word were slips. A short word with another letter is another word. */
function slipsIn(given: string, word: string): number {
  if (given === word || (given === 'URI' && word === 'URL')) return 0;
  if (given === `${word}S` || word === `${given}S`) return 1;
  if (word.length < shortestSlippedWord || given[0] !== word[0]) return tooMany;
  const distance = editDistance(given, word);
  return distance <= (word.length < 8 ? 1 : mostSlips) ? distance : tooMany;
}

const shortestSlippedWord = 5;

/** Letters put in, left out, taken for others, or two neighbours exchanged. */
function editDistance(left: string, right: string): number {
  let before: readonly number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isExchanged =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isExchanged ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return at(last, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
