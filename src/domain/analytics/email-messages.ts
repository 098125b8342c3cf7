/** Names of characters that cannot be shown as they are (Unicode), for the commonest of them. */
const names: Readonly<Record<string, string>> = {
  ' ': 'SPACE',
  '\u00A0': 'NO-BREAK SPACE',
  '\u00AD': 'SOFT HYPHEN',
  '\u0301': 'COMBINING ACUTE ACCENT',
  '\u200B': 'ZERO WIDTH SPACE',
  '\u200C': 'ZERO WIDTH NON-JOINER',
  '\u200D': 'ZERO WIDTH JOINER',
  '\u200E': 'LEFT-TO-RIGHT MARK',
  '\u200F': 'RIGHT-TO-LEFT MARK',
  '\u2028': 'LINE SEPARATOR',
  '\u202E': 'RIGHT-TO-LEFT OVERRIDE',
  '\u3000': 'IDEOGRAPHIC SPACE',
  '\uFEFF': 'ZERO WIDTH NO-BREAK SPACE',
};

const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

/** A character in quotes; one that has no shape by its name, or as `U+0007`. */
function shown(character: string): string {
  if (visible.test(character)) {
    return character === "'" || character === '\\' ? `"${character}"` : `'${character}'`;
  }
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return names[character] ?? `U+${code}`;
}

/** The characters of a text that are not allowed, each once, shown and sorted; '' for none. */
export function badCharacters(text: string, allowed: RegExp): string {
  const bad = [...text].filter((character) => !allowed.test(character)).map(shown);
  return [...new Set(bad)].sort().join(', ');
}

const mark = /^\p{M}$/u;
const unsafe = /^[\p{Z}\p{C}]$/u;

/** The reason against blanks, controls and a leading combining mark beyond ASCII; or undefined. */
export function unsafeCharacters(text: string): string | undefined {
  const bad = [...text].filter(
    (character, index) => unsafe.test(character) || (index === 0 && mark.test(character)),
  );
  if (bad.length === 0) return undefined;
  const words = [...new Set(bad)].sort().map(shown).join(', ');
  return `The email address contains unsafe characters: ${words}.`;
}

/** How far something is beyond its limit, as `(2 characters too many)`. */
export function tooMany(count: number): string {
  return `(${count} character${count > 1 ? 's' : ''} too many)`;
}
