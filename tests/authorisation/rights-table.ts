/** An id that nothing has. */
const ID = '00000000-0000-7000-8000-00000000ffff';

/** The kinds of callers of actions. */
export const everyone = ['owner', 'agent', 'viewer', 'reviewer', 'operator', 'command line', 'anonymous'] as const;
export type Who = (typeof everyone)[number];

const team: Who[] = ['owner', 'agent', 'viewer'];
const agents: Who[] = ['owner', 'agent'];
const owners: Who[] = ['owner'];
const reviewers: Who[] = ['reviewer', 'operator'];
const operators: Who[] = ['operator', 'command line'];
const retentionManagers: Who[] = [...owners, ...operators];

const flow = { placeOfBirth: true, proofOfAddress: false };
const key = { name: 'shop', permissions: ['*'] };
const onVerification = { verificationId: ID };
const seen = { verificationId: ID, version: 1 };
const onUser = { userId: ID };
const onClient = { clientId: ID };
const webhookManagers: Who[] = ['owner', 'command line'];
const onEndpoint = { ...onClient, endpointId: ID };
const onDelivery = { ...onEndpoint, eventId: ID };
const endpoint = { name: 'shop', url: 'https://shop.example/hooks', types: ['verification.approved'] };

/** The callers of each action, repeated on purpose, with an input that its fields accept. */
export const RIGHTS: Readonly<Record<string, readonly [who: readonly Who[], input: object]>> = {
  'api_keys.list': [owners, {}],
  'api_keys.get': [owners, { keyId: ID }],
  'api_keys.create': [owners, key],
  'api_keys.rotate': [owners, { keyId: ID }],
  'api_keys.revoke': [owners, { keyId: ID, name: 'shop' }],
  'api_requests.list': [owners, {}],
  'webhooks.list': [webhookManagers, onClient],
  'webhooks.get': [webhookManagers, onEndpoint],
  'webhooks.create': [webhookManagers, { ...onClient, ...endpoint }],
  'webhooks.change': [webhookManagers, { ...onEndpoint, ...endpoint }],
  'webhooks.pause': [webhookManagers, onEndpoint],
  'webhooks.resume': [webhookManagers, onEndpoint],
  'webhooks.disable': [webhookManagers, onEndpoint],
  'webhooks.enable': [webhookManagers, onEndpoint],
  'webhooks.rotate_secret': [webhookManagers, onEndpoint],
  'webhooks.remove': [webhookManagers, { ...onEndpoint, name: 'shop' }],
  'webhooks.test': [webhookManagers, onEndpoint],
  'webhooks.deliveries': [webhookManagers, onEndpoint],
  'webhooks.attempts': [webhookManagers, onDelivery],
  'webhooks.resend': [webhookManagers, onDelivery],
  'webhooks.resend_since': [webhookManagers, { ...onEndpoint, since: '2026-03-01T10:00:00Z' }],
  'verifications.list': [team, {}],
  'verifications.read': [team, onVerification],
  'verifications.read_file': [agents, { ...onVerification, fileId: ID }],
  'verifications.create': [agents, { subjectType: 'kyc', subjectReference: 'user_1' }],
  'verifications.export': [agents, {}],
  'verifications.export_data': [agents, onVerification],
  'verifications.withdraw': [[...agents, ...operators], onVerification],
  'verifications.renew_link': [[...agents, ...operators], onVerification],
  'exports.list': [retentionManagers, {}],
  'exports.read': [retentionManagers, onVerification],
  'exports.release': [retentionManagers, onVerification],
  'exports.decline': [retentionManagers, { ...onVerification, declineReason: 'other' }],
  'retention.hold': [retentionManagers, { ...onVerification, reason: 'a court order' }],
  'retention.release_hold': [retentionManagers, onVerification],
  'retention.end_relationship': [[...agents, ...operators], onVerification],
  'retention.erase': [retentionManagers, onVerification],
  'retention.open_restricted': [owners, { ...onVerification, reason: 'a request of the subject' }],
  'retention.own_policy': [owners, {}],
  'retention.policy': [operators, onClient],
  'retention.set_policy': [operators, { ...onClient, useDefault: true }],
  'retention.own_report': [owners, { month: '2026-03' }],
  'retention.report': [operators, { ...onClient, month: '2026-03' }],
  'review.queue': [reviewers, {}],
  'review.clients': [reviewers, {}],
  'review.client_names': [reviewers, { clientIds: [ID] }],
  'review.open': [reviewers, onVerification],
  'review.preview': [reviewers, onVerification],
  'review.read_file': [reviewers, { ...onVerification, fileId: ID }],
  'review.claim': [reviewers, seen],
  'review.release': [reviewers, seen],
  'review.note': [reviewers, { ...seen, text: 'seen' }],
  'review.approve': [reviewers, seen],
  'review.reject': [reviewers, { ...seen, reasonCodes: ['document_glare'] }],
  'review.ask_for_action': [reviewers, { ...seen, items: [{ step: 'document', reasonCode: 'document_glare' }] }],
  'team.list': [team, {}],
  'team.invite': [owners, { email: 'a@b.example', teamRole: 'viewer' }],
  'team.renew_invitation': [owners, onUser],
  'team.change_role': [owners, { ...onUser, teamRole: 'viewer' }],
  'team.remove': [owners, onUser],
  'dashboard.client': [team, {}],
  'dashboard.usage': [team, {}],
  'dashboard.month': [team, {}],
  'dashboard.activity': [team, {}],
  'dashboard.attention': [team, {}],
  'dashboard.first_steps': [team, {}],
  'dashboard.change_return_addresses': [owners, { returnAddresses: [] }],
  'dashboard.switch_files': [owners, { fileAccess: true }],
  'flow.get': [owners, {}],
  'flow.change': [owners, flow],
  'clients.flow': [operators, onClient],
  'clients.set_flow': [operators, { ...onClient, ...flow }],
  'face.get': [owners, {}],
  'face.change': [owners, {}],
  'face.change_logo': [owners, { upload: { content: [] } }],
  'face.remove_logo': [owners, {}],
  'clients.face': [['operator'], onClient],
  'clients.list': [operators, {}],
  'clients.search': [['operator'], {}],
  'clients.get': [operators, onClient],
  'clients.usage': [operators, onClient],
  'clients.month': [operators, onClient],
  'clients.create': [operators, { name: 'A', plan: 'none' }],
  'clients.change_subscription': [operators, onClient],
  'clients.test_twin': [['operator'], onClient],
  'clients.set_return_addresses': [operators, { ...onClient, returnAddresses: [] }],
  'clients.list_api_keys': [operators, onClient],
  'clients.create_api_key': [operators, { ...onClient, ...key }],
  'clients.create_first_api_key': [operators, { ...onClient, ...key }],
  'clients.revoke_api_key': [operators, { ...onClient, keyId: ID }],
  'operations.status': [['operator'], {}],
  'users.list': [operators, {}],
  'users.search': [['operator'], {}],
  'users.get': [operators, onUser],
  'users.create': [operators, { email: 'a@b.example', role: 'reviewer' }],
  'users.invite': [operators, onUser],
  'users.change_role': [operators, { ...onUser, role: 'operator' }],
  'users.reset_second_factor': [operators, onUser],
  'users.disconnect_providers': [operators, onUser],
  'users.allow_password': [['command line'], onUser],
  'users.remove': [operators, { ...onUser, email: 'a@b.example' }],
  'audit.list': [operators, {}],
};

/** The actions that ask signed-in callers for the password again, repeated on purpose. */
export const CONFIRMED: readonly string[] = [
  'api_keys.create',
  'api_keys.rotate',
  'clients.change_subscription',
  'clients.create',
  'clients.create_api_key',
  'clients.create_first_api_key',
  'clients.set_return_addresses',
  'dashboard.change_return_addresses',
  'dashboard.switch_files',
  'exports.release',
  'face.change',
  'face.change_logo',
  'face.remove_logo',
  'retention.erase',
  'retention.hold',
  'retention.release_hold',
  'retention.set_policy',
  'team.change_role',
  'team.invite',
  'team.remove',
  'team.renew_invitation',
  'users.change_role',
  'users.create',
  'users.disconnect_providers',
  'users.invite',
  'users.remove',
  'users.reset_second_factor',
  'webhooks.change',
  'webhooks.create',
  'webhooks.rotate_secret',
];
