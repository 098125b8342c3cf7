import { CliError, exitCodes } from './cli-error.ts';

/** An option's whole number. @throws CliError usage */
export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new CliError(exitCodes.usage, `${name} must be a whole number from ${min} to ${max}.`);
}
