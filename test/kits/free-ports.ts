/** Settings of a service that listens where the machine has room: it says where once it runs. */
export const freePorts = {
  RECOVERY_PORT: '0',
  DISPUTES_PORT: '0',
  OPERATOR_PORT: '0',
  DEMO_MERCHANT_PORT: '0',
  SANDBOX_PSP_PORT: '0',
  PROBE_PORT: '0',
} as const;
