const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quotedString = '"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"';
const parameter = `${token}=(?:${token}|${quotedString})`;
// Each blank can be matched in one way only: else a few dozen of them would take years.
const json = new RegExp(`^application/json[ \\t]*(?:;[ \\t]*(?:${parameter}[ \\t]*)?)*$`, 'i');

/** Longest header that is looked at; a media type with a charset has below 50 characters. */
const headerLength = 255;

/**
 * Whether a Content-Type header names application/json: in any case, with any well-formed
 * parameters (RFC 9110, 8.3.1), which change nothing, since JSON is always UTF-8 (RFC 8259, 8.1).
 */
export function isJsonMediaType(header: string | undefined): boolean {
  if (header === 'application/json') return true;
  return header !== undefined && header.length <= headerLength && json.test(header);
}
