/**
 * In these cases the kit writes its own data key to a verification with answers and expects it in the record. A sealed
 * storage creates its data keys itself and never returns them, so these cases must fail.
 */
const WRITES_ITS_OWN_DATA_KEYS = [
  'data keys: replace: writes the first data key, and every read operation returns it',
  'data keys: create: keeps the data key of the request',
  'data keys: replace: changes nothing else of this verification or others',
  'data keys: commit: ignores the data key of the record',
  'concurrent data keys: replace: holds beside a change of the verification at the same time',
  'own values: create: later changes to the given record change nothing stored',
  'own values: read: changes to a returned verification change nothing stored',
];

/**
 * In these cases the kit writes secrets that a key encrypted already, or none did. A sealed storage encrypts secrets itself
 * and returns them as plain text, so these cases must fail.
 */
const WRITES_ENCRYPTED_SECRETS = [
  'webhook endpoints: add: stores every field unchanged',
  'webhook endpoints: change: sets the given fields and no others',
  'leases of endpoints: lease: returns endpoints with due deliveries, unchanged',
  'webhook secrets: secrets: counts and lists those that another key encrypted, and those not encrypted',
  'webhook secrets: secrets: pages come by endpoint, the oldest secret first',
  'webhook secrets: replaceSecret: replaces one secret and keeps its end',
  'webhook secrets: replaceSecret: encrypts a secret that was not encrypted',
  'webhook secrets: replaceSecret: of many at once, one replaces',
  'webhook secrets: replaceSecret: loses against a rotation of the secret',
];

/** As above, for the index keys of clients. */
const WRITES_ENCRYPTED_INDEX_KEYS = [
  'index keys: addKey: stores keys of a client, which are listed from the newest',
  'index keys: listKeysNotWrappedBy: lists plain keys and those of other keys, of all clients, by client and version',
  'index keys: replaceKey: replaces the stored key by the same one, encrypted by another',
  'index keys: replaceKey: a key that is stored otherwise is not replaced',
  'index keys: replaceKey: of many for one stored key, one wins',
];

/** The cases of the contract of storages that a sealed one must fail, after the name of their suite. */
export const EXPECTED_TO_FAIL: readonly string[] = [
  ...WRITES_ITS_OWN_DATA_KEYS,
  ...WRITES_ENCRYPTED_SECRETS,
  ...WRITES_ENCRYPTED_INDEX_KEYS,
];
