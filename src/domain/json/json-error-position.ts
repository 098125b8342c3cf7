/**
 * Where a text stops being JSON, counted in characters (code points) as Python's json module counts
 * them in the `pos` of its JSONDecodeError (Python 3.8 to 3.12, read off its scanner): merchants'
 * clients read that number in FastAPI's answers. NaN and Infinity are no values here, since JSON has
 * neither. Undefined for valid JSON. No recursion, so that no nesting is too deep.
 */
export function jsonErrorPosition(text: string): number | undefined {
  const index = errorIndex(text);
  return index === undefined ? undefined : [...text.slice(0, index)].length;
}

/** What may come next: `first` after an opening bracket, where it may close at once. */
type Expected = 'value' | 'first_value' | 'first_name' | 'name' | 'after_value';

const literals = ['true', 'false', 'null'];
const numberShape = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

function errorIndex(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let index = skipSpace(text, 0);
  for (;;) {
    if (expected === 'after_value' && open.length === 0) {
      return index === text.length ? undefined : index;
    }
    const step = stepAt(text, index, expected, open);
    if (step.kind === 'error') return step.index;
    expected = step.expected;
    index = skipSpace(text, step.index);
  }
}

type Step =
  | { readonly kind: 'error'; readonly index: number }
  | { readonly kind: 'read'; readonly index: number; readonly expected: Expected };

function stepAt(text: string, index: number, expected: Expected, open: ('{' | '[')[]): Step {
  const character = text[index];
  switch (expected) {
    case 'first_name':
      return character === '}' ? closed(open, index) : readName(text, index);
    case 'name':
      return readName(text, index);
    case 'first_value':
      return character === ']' ? closed(open, index) : readValue(text, index, open);
    case 'value':
      return readValue(text, index, open);
    case 'after_value':
      return afterValue(character, index, open);
  }
}

function closed(open: ('{' | '[')[], index: number): Step {
  open.pop();
  return { kind: 'read', index: index + 1, expected: 'after_value' };
}

function afterValue(character: string | undefined, index: number, open: ('{' | '[')[]): Step {
  const inObject = open.at(-1) === '{';
  if (character === (inObject ? '}' : ']')) return closed(open, index);
  if (character !== ',') return { kind: 'error', index };
  return { kind: 'read', index: index + 1, expected: inObject ? 'name' : 'value' };
}

/** A member's name with its colon. */
function readName(text: string, index: number): Step {
  if (text[index] !== '"') return { kind: 'error', index };
  const name = readString(text, index);
  if (name.kind === 'error') return name;
  const colonAt = skipSpace(text, name.index);
  if (text[colonAt] !== ':') return { kind: 'error', index: colonAt };
  return { kind: 'read', index: colonAt + 1, expected: 'value' };
}

function readValue(text: string, index: number, open: ('{' | '[')[]): Step {
  const character = text[index];
  if (character === '"') return readString(text, index);
  if (character === '{' || character === '[') {
    open.push(character);
    const expected = character === '{' ? 'first_name' : 'first_value';
    return { kind: 'read', index: index + 1, expected };
  }
  const literal = literals.find((word) => text.startsWith(word, index));
  numberShape.lastIndex = index;
  const length = literal?.length ?? numberShape.exec(text)?.[0].length;
  if (length === undefined) return { kind: 'error', index };
  return { kind: 'read', index: index + length, expected: 'after_value' };
}

const escapable = '"\\/bfnrt';
const hexDigits = /[0-9a-fA-F]{4}/y;

/** A string without its end is at fault where it begins, a bad escape where its backslash or its u is. */
function readString(text: string, start: number): Step {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '"') return { kind: 'read', index: index + 1, expected: 'after_value' };
    if (character < ' ') return { kind: 'error', index };
    if (character !== '\\') continue;
    const escaped = text[index + 1];
    if (escaped === undefined) break;
    index += 1;
    if (escaped !== 'u') {
      if (!escapable.includes(escaped)) return { kind: 'error', index: index - 1 };
      continue;
    }
    // Python looks for the digits and one character more: the text cannot end with an escape.
    hexDigits.lastIndex = index + 1;
    if (index + 5 >= text.length || !hexDigits.test(text)) return { kind: 'error', index };
    index += 4;
  }
  return { kind: 'error', index: start };
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length && ' \t\n\r'.includes(text[index] ?? '')) index += 1;
  return index;
}
