import { formatShare } from './percent.ts';

/**
 * What the API says of a request, for a person at a form: they sent no body, and see labels where the
 * API has names. A sentence of the API that is not known here is shown as it is.
 */
export function formMessage({ code, message }: { code: string; message: string }): string {
  const whole = messages[code];
  if (whole !== undefined) return whole;
  for (const [action, words] of actions) {
    if (message.endsWith(action)) return `${message.slice(0, -action.length)}${words}`.trim();
  }
  return message;
}

/** What is wrong with one field; its label stands before it. */
export function faultText(message: string): string {
  for (const [pattern, words] of faults) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return message;
}

/** Where the API's sentence names parts of a request. */
const messages: Readonly<Record<string, string>> = {
  merchant_auth_needed:
    'The stored credentials belong to the server at the present address and are never sent to another one. Choose under “Our calls authenticate with” what the new server expects, and enter its headers again if it has any.',
};

/** How a field stands that somebody else changed while a person did. */
export function movedText({ field, value }: { field: string; value: unknown }) {
  // What the member is called by the form, which has its parts.
  const name = field === 'auth.type' ? 'auth_type' : field;
  return { field: name, message: `It is ${valueText(field, value)} now` };
}

function valueText(field: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number' && field.endsWith('share'))
    return formatShare(value, isWhole(value * 100) ? 0 : 1);
  return value === undefined || value === '' ? 'empty' : String(value);
}

/** As near as a fraction of two is. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}

/** How the API's sentences end, and what a form says instead. */
const actions = [
  ['The request is not valid. Correct it and send it again.', 'Correct this and try again:'],
  ['Correct it and send it again.', 'Correct it and try again.'],
  [
    'Send a complete PDF, PNG or JPEG file as the body of the request.',
    'Choose a complete PDF, PNG or JPEG file.',
  ],
  ['Read the current state and decide again.', ''],
  [
    'Use a key with the scope named in the answer, or have one issued.',
    'Use a key that has it, or ask for one.',
  ],
] as const;

const faults: readonly (readonly [RegExp, string])[] = [
  [/^Field required$/, 'Fill this in'],
  [/^String should have at least 1 character$/, 'Fill this in'],
  [/^String should have (at least|at most) (\d+) characters?$/, 'Enter $1 $2 characters'],
  [/^List should have at least 1 item$/, 'At least one is needed'],
  [/^List should have (at least|at most) (\d+) items?$/, 'Enter $1 $2'],
  [/^Input should be greater than or equal to (.+)$/, 'Enter $1 or more'],
  [/^Input should be less than or equal to (.+)$/, 'Enter $1 or less'],
  [/^Input should be a valid integer$/, 'Enter a whole number'],
  [/^Input should be a valid (.+)$/, 'Enter a $1'],
  [
    /^Input should be an address of the dashboard.*$/,
    'It cannot be saved: its address contains an e-mail address, or is too long',
  ],
  [/^Input should be (.+)$/, 'Enter $1'],
];
