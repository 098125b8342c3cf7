/** What is not there yet and where it is set, by the name that the service's answer begins with. */
const words: Readonly<Record<string, string>> = {
  sender: 'Whom messages are from is not set: “Change the messages” above.',
  customer_page_url:
    'The page that messages send the customer to is not set: “Change the retries” on this page, “Page for these customers”.',
  SMTP_URL:
    'No mail server is set that sends them: the settings SMTP_URL and ALERT_SENDER of Recoup, with which it is started again.',
  RECOVERY_URL:
    'The address at which customers stop messages is not set: the setting RECOVERY_URL of Recoup, with which it is started again.',
};

/** What `missing` of the message settings says, in words: `SMTP_URL: what sends them`. */
export function missingWords(missing: string): string {
  return words[missing.split(':')[0] ?? ''] ?? missing;
}
