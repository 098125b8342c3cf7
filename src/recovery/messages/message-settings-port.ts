import type { NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import type { AuditEntry } from '../admin/ports.ts';

/** How a merchant's customers are written to, with the merchant's own texts. */
export interface KeptSettings {
  readonly merchantName: string;
  readonly customerPageUrl?: string;
  readonly settings: MessageSettings;
  readonly templates: readonly NamedTemplate[];
}

/** Each write is one transaction, together with its line of the audit log. */
export interface MessageSettingsStore {
  /** Undefined for no merchant. */
  find(merchantId: string): Promise<KeptSettings | undefined>;
  /** `decide` may throw: nothing is changed then. */
  change(
    merchantId: string,
    decide: (known: KeptSettings) => {
      readonly settings: MessageSettings;
      readonly audit: AuditEntry;
    },
  ): Promise<KeptSettings | undefined>;
  setTemplate(input: {
    readonly merchantId: string;
    readonly template: NamedTemplate;
    readonly audit: AuditEntry;
  }): Promise<boolean>;
  /** False where the merchant has none of its own. */
  removeTemplate(input: {
    readonly merchantId: string;
    readonly reason: NamedTemplate['reason'];
    readonly language: string;
    readonly audit: AuditEntry;
  }): Promise<boolean>;
}
