import type { ProviderPolicy, StaffRole } from '@countersign/domain/staff';

/** An identity provider and this service's registration there. */
export interface ProviderSettings extends ProviderPolicy {
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  /** `openid` included. */
  readonly scopes: readonly string[];
}

/** How users sign in at identity providers. */
export interface SingleSignOnOptions {
  readonly providers: readonly ProviderSettings[];
  /** Roles that do not sign in with a password. */
  readonly passwordsOff: readonly StaffRole[];
  /** Whether providers on this machine may use `http://`, for development. */
  readonly allowsLoopback: boolean;
}
