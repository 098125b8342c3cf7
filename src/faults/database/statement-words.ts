import { hashOf } from '../schedule/draws.ts';
import type { SentStatement } from './real-connections.ts';

export function firstWord(text: string): string {
  return /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '';
}

/** A statement in the trace: its name, and a hash of its values. */
export function shown({ name, text, values }: SentStatement): string {
  const told = (values ?? []).map((value) => (value instanceof Date ? value.getTime() : value));
  return `${name ?? firstWord(text)} ${hashOf(JSON.stringify(told)).toString(16)}`;
}
