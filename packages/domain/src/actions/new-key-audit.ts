import type { ApiKey } from '../access/api-key.ts';
import type { Made } from '../audit/audit-recorder.ts';
import type { JsonObject } from '../input/json.ts';

/** What the audit log keeps of a new key. Of its networks, only their number: they may be the addresses of people. */
export function newKeyAudit({ key, detail = {} }: { readonly key: ApiKey; readonly detail?: JsonObject }): Made {
  const { id, display, networks } = key;
  return {
    targetId: id,
    detail: { display, ...(networks.length > 0 && { networks: networks.length }), ...detail },
  };
}
