import { cardNumberFault, type Fault } from '../json/fault.ts';
import type { Shape } from '../json/shape.ts';
import { holdsCardNumber, maskCardDigits, maskCardNumbers } from './card-numbers.ts';

/**
 * Looks for card numbers in everything that a schema lets in. One in an id is a fault; in any other
 * text, in free objects and their members' names too, its digits are masked in the value itself.
 */
export function guardCards(shape: Shape, value: unknown): readonly Fault[] {
  const holder = { value };
  const faults: Fault[] = [];
  guardMember({ holder, name: 'value', shape, at: '', faults });
  return faults;
}

interface Member {
  readonly holder: object;
  readonly name: string;
  readonly shape: Shape;
  readonly at: string;
  readonly faults: Fault[];
}

function guardMember(member: Member): void {
  const { holder, name, shape, at, faults } = member;
  const value: unknown = Reflect.get(holder, name);
  if (shape['x-verbatim'] === true || shape.oneOf !== undefined) return;
  if (typeof value === 'string') {
    guardText(member, value);
  } else if (typeof value === 'number') {
    if (!isNumeric(shape)) Reflect.set(holder, name, maskCardDigits(value));
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) {
      const place = join(at, index.toString());
      const of = shape.items ?? {};
      guardMember({ holder: value, name: index.toString(), shape: of, at: place, faults });
    }
  } else if (typeof value === 'object' && value !== null) {
    guardObject(member, value);
  }
}

function guardText({ holder, name, shape, at, faults }: Member, text: string): void {
  if (shape['x-id'] === true) {
    const isNetworks = at.endsWith('network_transaction_id');
    if (holdsCardNumber(text, isNetworks ? 'network_transaction' : undefined)) {
      faults.push(cardNumberFault(at));
    }
    return;
  }
  // What has a form or is a word of a list holds no card's number, and would lose its form.
  if (shape.format !== undefined || shape.enum !== undefined || shape.const !== undefined) return;
  const masked = maskCardNumbers(text);
  if (masked !== text) Reflect.set(holder, name, masked);
}

function guardObject({ shape, at, faults }: Member, value: object): void {
  if (typeof shape.additionalProperties === 'object') return;
  for (const name of Object.keys(value)) {
    const of = shape.properties === undefined ? {} : shape.properties[name];
    if (of === undefined) continue;
    guardMember({ holder: value, name, shape: of, at: join(at, name), faults });
    if (shape.properties === undefined) renameMember(value, name);
  }
}

/** The masked name goes last; where two are masked to one, the later one stands. */
function renameMember(value: object, name: string): void {
  const masked = maskCardNumbers(name);
  if (masked === name) return;
  const member: unknown = Reflect.get(value, name);
  Reflect.deleteProperty(value, name);
  Reflect.set(value, masked, member);
}

function isNumeric({ type }: Shape): boolean {
  return type === 'number' || type === 'integer';
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
