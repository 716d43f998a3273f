import type { Account } from '../../domain/accounts/account.ts';
import { accountFieldNames } from '../../domain/accounts/account-field-table.ts';
import { type Contact, flagFields, metaFields, textFields } from '../../domain/contacts/contact.ts';
import {
  accountInput,
  contactInput,
  type InputChange,
  objectiveInput,
  productInput,
} from '../../domain/targeting/inputs.ts';
import type { Metadata } from '../../domain/values/metadata.ts';
import { accountOf, linksOf } from '../accounts/accounts.ts';
import { storedContact } from '../contacts/contacts.ts';
import { actionStateOf, storedJourney } from '../journeys/journey-items.ts';
import type { Item } from '../table/database.ts';
import type { ReadRecord } from './item-changes.ts';

/**
 * What the record changes for the rules of targeting; `undefined` if it is of no importance for any.
 * @throws InvalidStoredItem
 */
export function inputChangeOf({ place, before, after }: ReadRecord): InputChange | undefined {
  switch (place.kind) {
    case 'contact': {
      const [was, is] = [before, after].map((item) => item && storedContact(item)?.contact);
      if (!is) return undefined;
      return { kind: 'contact', contactId: place.contactId, isNew: !was, names: was ? changesOfContact(was, is) : [] };
    }
    case 'link': {
      const [was, is] = [before, after].map((item) => (item ? linksOf(item)[0] : undefined));
      const isSame = was?.role === is?.role && (was === undefined) === (is === undefined);
      return isSame ? undefined : { kind: 'link', contactId: place.contactId };
    }
    case 'account': {
      const [was, is] = [before, after].map((item) => item && accountOf(item));
      // A removed account counts like a closed one.
      const names = was && is ? changesOfAccount(was, is) : was || is ? [accountInput('closed_date')] : [];
      return { kind: 'account', accountNumber: place.accountNumber, isNew: before === undefined, names };
    }
    case 'journey': {
      const { contactId, templateId } = place;
      return after && { kind: 'journey', contactId, templateId, hasEnded: hasEnded(before, after) };
    }
    case 'action': {
      const { contactId, templateId } = place;
      const isCompletion = after && !before && actionStateOf(after).kind === 'finished';
      return isCompletion ? { kind: 'journey', contactId, templateId, hasEnded: true } : undefined;
    }
    default:
      return undefined;
  }
}

function changesOfContact(was: Contact, is: Contact): string[] {
  const fields = [...textFields, ...flagFields].filter((name) => was[name] !== is[name]);
  return [
    ...fields.map((name) => contactInput(name)),
    ...(was.unique_id === is.unique_id ? [] : [contactInput('unique_id')]),
    ...metaFields.flatMap((name) => changedKeys(was[name], is[name]).map((key) => contactInput(name, key))),
    ...(Object.keys(was.completions).length === Object.keys(is.completions).length ? [] : [objectiveInput]),
  ];
}

function changesOfAccount(was: Account, is: Account): string[] {
  const fields = accountFieldNames.filter((name) => (was.fields[name] ?? null) !== (is.fields[name] ?? null));
  return [
    ...fields.map((name) => accountInput(name)),
    ...(['meta_public', 'meta_private'] as const).flatMap((name) =>
      changedKeys(was[name], is[name]).map((key) => accountInput(name, key)),
    ),
    ...(was.product_code === is.product_code ? [] : [productInput]),
  ];
}

function changedKeys(was: Metadata | null, is: Metadata | null): string[] {
  const keys = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
  return [...keys].filter((key) => String(was?.[key] ?? '') !== String(is?.[key] ?? ''));
}

/** True if the journey was cancelled, has expired or was opened again. */
function hasEnded(before: Item | undefined, after: Item): boolean {
  if (!before) return false;
  const [was, is] = [storedJourney(before).journey, storedJourney(after).journey];
  return was.cancelled_at !== is.cancelled_at || was.expired_at !== is.expired_at;
}
