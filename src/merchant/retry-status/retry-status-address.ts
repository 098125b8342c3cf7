// A stored address may have gone through a URL parser, which encodes braces in a path.
const placeholder = /\{invoice_id\}|%7Binvoice_id%7D/gi;

/**
 * The retry-status address of one invoice: `{invoice_id}` replaced by the encoded id, or the id
 * appended as the last segment of the path. Undefined for an id that no address can carry.
 */
export function retryStatusAddress(template: string, invoiceId: string): string | undefined {
  // URL parsers read these two as steps in the path, encoded too: another address would be called.
  if (invoiceId === '' || invoiceId === '.' || invoiceId === '..' || !invoiceId.isWellFormed()) {
    return undefined;
  }
  const encoded = encodeURIComponent(invoiceId);
  const named = template.replaceAll(placeholder, encoded);
  if (named !== template) return named;
  const queryAt = template.indexOf('?');
  const path = queryAt < 0 ? template : template.slice(0, queryAt);
  const query = queryAt < 0 ? '' : template.slice(queryAt);
  return `${path.replace(/\/$/, '')}/${encoded}${query}`;
}
