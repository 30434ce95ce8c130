/** Clients: plans, subscriptions, months and usage, how a client appears to its subjects, return addresses, test mode. */

export { FLOW_SWITCHES, type FlowSwitch } from '../fields/flow-switches.ts';
export { type AttentionItem, type AttentionKind, KEY_UNUSED_DAYS } from '../overview/attention.ts';
export { FIRST_STEPS, type FirstStep, type FirstStepName } from '../overview/first-steps.ts';
export { type BoundedCount, boundedCount } from '../subscription/bounded-count.ts';
export {
  type AppearanceDetails,
  type AppearanceInput,
  acceptedDetails,
  appearanceFields,
  type ClientAppearance,
  type ContactLink,
  contactLink,
  type Logo,
  type LogoFacts,
  NO_APPEARANCE,
} from '../subscription/client-appearance.ts';
export type { ClientMode } from '../subscription/client-mode.ts';
export type {
  Client,
  ClientWithSubscription,
  ListedClient,
  NameOfClient,
} from '../subscription/client-repository.ts';
export { contrastOf, type Palette, paletteOf } from '../subscription/colours.ts';
export type { FlowDefaults, FlowRules } from '../subscription/flow-rules.ts';
export {
  DECISION_TIMES,
  type DecisionTime,
  DUE_HOURS_MAX,
  type FlowSettings,
  type FlowSettingsInput,
  flowSettingsFields,
  LINK_DAYS_MAX,
  MINIMUM_AGE_MAX,
  NEW_FLOW_SETTINGS,
} from '../subscription/flow-settings.ts';
export { LOGO_MAX_BYTES, LOGO_MAX_HEIGHT, LOGO_MAX_WIDTH, type LogoIntake } from '../subscription/logo-intake.ts';
export { APPEARANCES_PATH, logoPath } from '../subscription/logo-path.ts';
export type { ManageAppearances, ReadAppearances, ShownAppearance } from '../subscription/manage-appearances.ts';
export {
  CLIENT_CHOICES,
  type ClientPage,
  type ClientSearch,
  type ClientWithTwin,
  type ManageClients,
  type NewClient,
  type SubscriptionSettings,
} from '../subscription/manage-clients.ts';
export type { ClientFlowSettings, ManageFlowSettings } from '../subscription/manage-flow-settings.ts';
export {
  allowanceOf,
  DEFAULT_MONTHLY_LIMIT,
  type Month,
  monthOf,
  type Usage,
} from '../subscription/monthly-limit.ts';
export {
  languageForSubject,
  NO_TEMPLATES,
  parseStoredTemplates,
  type ReasonTemplate,
  type ReasonTemplates,
  type ReasonTemplatesInput,
  reasonTemplatesFields,
  TEMPLATE_TEXT_MAX_CHARACTERS,
  TEMPLATE_USES,
  TEMPLATES_MAX_COUNT,
  type TemplateUse,
  textOfTemplate,
} from '../subscription/reason-templates.ts';
export { RETURN_ADDRESSES_MAX, RETURN_URL_MAX, returnLinkOf } from '../subscription/return-address.ts';
export {
  isSubscriptionActive,
  PLANS,
  type Plan,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionStatus,
} from '../subscription/subscription.ts';
export { liveIdOf, newClient, testTwinOf } from '../subscription/test-twin.ts';
export type { ActivityDay, ActivityFigures, ActivityReport } from '../verification/read-activity.ts';
export type { MonthUsage, UsageDay, UsageReport } from '../verification/read-usage.ts';
