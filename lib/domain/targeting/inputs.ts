/**
 * What the rules of a team depend on, so that a change that concerns none of them costs nothing. An input is the name of
 * a field, without what is always looked at: links with their roles, `closed_date`, what is new.
 */
export type LiveInputs = {
  names: ReadonlySet<string>;
  /** Templates whose open journeys keep others back. */
  priority: ReadonlySet<string>;
};

const under = (name: string, key: string | undefined) => (key === undefined ? name : `${name}.${key}`);
export const contactInput = (name: string, key?: string): string => `contact.${under(name, key)}`;
export const accountInput = (name: string, key?: string): string => `account.${under(name, key)}`;
export const productInput = 'product';
export const objectiveInput = 'objective';
export const journeyInput = (templateId: string): string => `journey.${templateId}`;

/** A change of something that rules can depend on. `names`: the inputs that changed. */
export type InputChange =
  | { kind: 'contact'; contactId: string; isNew: boolean; names: readonly string[] }
  /** A link was made or removed, or its role changed. */
  | { kind: 'link'; contactId: string }
  | { kind: 'account'; accountNumber: string; isNew: boolean; names: readonly string[] }
  /** `hasEnded`: it was completed or cancelled, or has expired. */
  | { kind: 'journey'; contactId: string; templateId: string; hasEnded: boolean };

/** True if a rule can hold, or no longer hold, because of the change. */
export function isConcerned(change: InputChange, { names, priority }: LiveInputs): boolean {
  switch (change.kind) {
    case 'contact':
      return change.isNew || change.names.some((name) => names.has(name));
    case 'link':
      return true;
    case 'account':
      return change.isNew || change.names.some((name) => names.has(name) || name === closing);
    case 'journey':
      return names.has(journeyInput(change.templateId)) || (change.hasEnded && priority.has(change.templateId));
  }
}
const closing = accountInput('closed_date');
