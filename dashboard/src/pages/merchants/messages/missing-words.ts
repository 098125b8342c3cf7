import { ApiError } from '../../../api/request.ts';

/** What is not there yet and where it is set, by the name that the service's answer begins with. */
const words: Readonly<Record<string, string>> = {
  sender: 'No sender is set: enter one at “From” under “Change the messages”.',
  customer_page_url:
    'No page for customers is set, which messages link to: enter it under “Change the retries”.',
  SMTP_URL:
    'No mail server is set: whoever runs Recoup sets SMTP_URL and ALERT_SENDER and restarts it.',
  RECOVERY_URL:
    'No address is set at which customers can stop messages: whoever runs Recoup sets RECOVERY_URL and restarts it.',
};

/** What `missing` of the message settings says, in words: `SMTP_URL: what sends them`. */
export function missingWords(missing: string): string {
  return words[missing.split(':')[0] ?? ''] ?? missing;
}

/** A refusal for what is missing, in the same words; any other error as it is. */
export function inWords(error: Error | null): Error | null {
  if (!(error instanceof ApiError)) return error;
  const [start, list] = error.message.split(' Missing: ');
  if (start === undefined || list === undefined) return error;
  const [missing = ''] = list.split('. ');
  const sentences = missing.replace(/\.$/, '').split('; ').map(missingWords);
  return new Error([start, ...sentences].join(' '));
}
