import type { FC } from 'hono/jsx';

/** Offers to continue on another device. It posts, because each code counts toward the limit of its verification. Nothing without an address. */
export const PhoneOffer: FC<{ address: string | null; label: string; hint?: string }> = ({
  address,
  label,
  hint,
}) =>
  address === null ? null : (
    // Hidden by its style on devices whose first pointer is a finger.
    <form method="post" action={address} class="phone-offer">
      <button type="submit">{label}</button>
      {hint === undefined ? null : <span class="quiet"> {hint}</span>}
    </form>
  );
