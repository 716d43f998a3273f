import { fieldsNamed, ruleField, type TargetingGroup } from '../../domain/campaigns/targeting-rule.ts';
import { deprecatedFields } from '../../domain/contacts/contact.ts';
import {
  accountInput,
  contactInput,
  journeyInput,
  objectiveInput,
  productInput,
} from '../../domain/targeting/inputs.ts';

/** The inputs of a rule. */
export const inputsOf = (groups: readonly TargetingGroup[]): string[] => [
  ...new Set(fieldsNamed(groups).flatMap((field) => inputOf(field))),
];

function inputOf(field: string): string[] {
  const named = ruleField(field);
  if (!named) return [];
  const { subject, name, key } = named;
  switch (subject) {
    case 'contact':
      return [contactInput(isDeprecated(name) ? deprecatedFields[name] : name, key)];
    case 'account':
      return [accountInput(name, key)];
    case 'product':
      return [productInput];
    case 'objective':
      return [objectiveInput];
    case 'journey':
      return [journeyInput(name)];
  }
}

const isDeprecated = (name: string): name is keyof typeof deprecatedFields => Object.hasOwn(deprecatedFields, name);
