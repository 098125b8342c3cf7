/** A value as Braintree's XML can carry it; `undefined` is left out, `null` is nil. */
export type XmlValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly XmlValue[]
  | { readonly [name: string]: XmlValue };

/**
 * An element in Braintree's XML dialect: names with dashes, and a type on everything that is not
 * text. Lists hold elements named as their singular, which an item's only field gives.
 */
export function element(name: string, value: XmlValue): string {
  if (value === undefined) return '';
  if (value === null) return `<${name} nil="true"/>`;
  switch (typeof value) {
    case 'number':
      return `<${name} type="integer">${value}</${name}>`;
    case 'boolean':
      return `<${name} type="boolean">${value}</${name}>`;
    case 'string': {
      const type = typeOf(name, value);
      return `<${name}${type}>${escaped(value)}</${name}>`;
    }
    case 'object':
      break;
  }
  if (Array.isArray(value)) {
    return `<${name} type="array">${value.map(children).join('')}</${name}>`;
  }
  return `<${name}>${children(value)}</${name}>`;
}

export function document(name: string, value: XmlValue): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, value)}\n`;
}

function children(value: XmlValue): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, child]) => element(name, child as XmlValue))
    .join('');
}

function typeOf(name: string, value: string): string {
  if (name.endsWith('-at') || name === 'timestamp') return ' type="datetime"';
  return name.endsWith('-date') && value !== '' ? ' type="date"' : '';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
