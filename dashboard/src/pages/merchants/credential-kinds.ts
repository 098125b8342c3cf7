/** What each kind of credential is for. */
export const kindLabels: Readonly<Record<string, string>> = {
  recovery_api_key: 'Recovery API',
  disputes_password: 'Disputes API',
  signing_secret: 'Webhook signatures',
};
