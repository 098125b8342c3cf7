/** What is not there yet and where it is set, by the name that the service's answer begins with. */
const words: Readonly<Record<string, string>> = {
  sender: 'No sender is set: press “Change the messages” above.',
  customer_page_url:
    'No page for customers is set, to which messages lead: press “Change the retries” above.',
  SMTP_URL:
    'No mail server is set: whoever runs Recoup sets SMTP_URL and ALERT_SENDER and restarts it.',
  RECOVERY_URL:
    'No address is set at which customers stop messages: whoever runs Recoup sets RECOVERY_URL and restarts it.',
};

/** What `missing` of the message settings says, in words: `SMTP_URL: what sends them`. */
export function missingWords(missing: string): string {
  return words[missing.split(':')[0] ?? ''] ?? missing;
}
