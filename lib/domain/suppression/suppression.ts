import * as z from 'zod';

/** What an address is listed for: marketing messages only, or all messages (contract, section 15, "Leaving"). */
export const suppressionScopes = ['marketing', 'all'] as const;
export type SuppressionScope = (typeof suppressionScopes)[number];

export const suppressionReasons = ['unsubscribed', 'complaint', 'bounce', 'erased', 'imported', 'added'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

const listing = z.object({ reason: z.enum(suppressionReasons), at: z.string() });
export type Listing = z.output<typeof listing>;

/**
 * The entry of an address in the list of the team. It has a keyed hash of the address, never the address. An address can be
 * listed for both: who takes an unsubscription back is still listed after a bounce.
 */
export const suppressionEntry = z.object({ marketing: listing.optional(), all: listing.optional() });
export type SuppressionEntry = z.output<typeof suppressionEntry>;

/** Whether an address is listed. An address that is listed for all messages is listed for marketing too. */
export type Suppression = { marketing: boolean; all: boolean };

export const suppressionOf = (entry: SuppressionEntry | undefined): Suppression => ({
  marketing: entry?.marketing !== undefined || entry?.all !== undefined,
  all: entry?.all !== undefined,
});

/** The entry after another reason to list the address. The first reason and its time stay. */
export const listedIn = (
  entry: SuppressionEntry | undefined,
  { scope, ...reason }: Listing & { scope: SuppressionScope },
): SuppressionEntry => ({ ...entry, [scope]: entry?.[scope] ?? reason });
