/** `merchant_id` of a table, or `"merchantId"` of what came as JSON. */
const name = String.raw`(?:\b\w+\.)?(?:\bmerchant_id\b|"merchantId")`;
/** What it is compared with: a value that was given, one of several, another table's. */
const other = String.raw`any\s*\((?:[^()]|\([^()]*\))*\)|\$\d+(?:::[\w[\]]+)?|(?:\b\w+\.)?"?\w+"?`;
const comparison = new RegExp(String.raw`${name}\s*=\s*(${other})`, 'g');

/**
 * A statement's text without any condition on whose a row is; undefined where it has none. What it was
 * given stays in the text, since PostgreSQL asks of each value what it is.
 */
export function withoutCondition(text: string): string | undefined {
  const cut = text.replaceAll(comparison, (_, right: string) => {
    const [value] = /\$\d+/.exec(right) ?? [];
    if (value === undefined) return 'true';
    const type = right.startsWith('any') ? 'text[]' : 'text';
    return `(${value}::${type} is null or true)`;
  });
  return cut === text ? undefined : cut;
}
