/** Plans of the service (interface, Limits). */
export const PLANS = ['standard', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** Verifications a month where the subscription sets no limit of its own. */
export const DEFAULT_MONTHLY_LIMIT: Readonly<Record<Plan, number>> = { standard: 1_000, enterprise: 10_000 };
