import type { ConsentChange } from '../../../lib/domain/contacts/consent.ts';
import { normalizedAddress } from '../../../lib/domain/suppression/address.ts';
import type { StoredContact } from '../../../lib/store/contacts/contacts.ts';
import type { Installation } from '../installation.ts';
import { findSuppression, type ShownSuppression } from '../operations/suppression/suppression.ts';

/** Whether the contact gets messages, and how its consent has changed. */
type Leaving = { left_at: string | null; suppression: ShownSuppression[]; consent: ConsentChange[] };

export async function leavingOf(
  installation: Installation,
  teamId: string,
  { contact: { email }, leftAt, consent }: StoredContact,
  earlier: readonly ConsentChange[],
): Promise<Leaving> {
  const access = await installation.suppression();
  const address = email === null ? undefined : normalizedAddress(email);
  const found = access && address ? await findSuppression({ ...installation, ...access }, teamId, address) : [];
  return { left_at: leftAt ?? null, suppression: found, consent: [...earlier, ...consent] };
}

const latest = 5;

/** The list of the address, and the latest changes of the consent. */
export const leavingTexts = ({ left_at, suppression, consent }: Leaving) => ({
  left_at,
  suppression: suppression.map(({ for: scope, reason, at }) => `${scope} (${reason}, ${at})`).join(', ') || null,
  consent: consent.slice(-latest).map(changeText).join(', ') || null,
});

const changeText = ({ at, field, from, to, by }: ConsentChange): string =>
  `${field} ${from} -> ${to} (${sourceText(by)}, ${at})`;

/** A batch of contacts has no id: the client that sent it is known. */
const sourceText = ({ kind, id }: ConsentChange['by']): string =>
  [kind, ...(id === undefined ? [] : [kind === 'batch' ? 'of client' : '', id])]
    .filter((each) => each !== '')
    .join(' ');
