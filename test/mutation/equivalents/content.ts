import type { Equivalent } from '../equivalent.ts';

export const inContent: readonly Equivalent[] = [
  {
    file: 'lib/domain/content/completion-sets.ts',
    mutant: 'if (given[name].length === 0 || isSameSet(given[name], stored?.[name] ?? ["Stryker was here"])) continue;',
    reason: 'No set has this value.',
  },
  {
    file: 'lib/domain/content/link.ts',
    mutant: 'const channel = channels.get(container.engagement_channel_id ?? "Stryker was here!");',
    reason: 'No channel has this id.',
  },
  {
    file: 'lib/domain/content/link.ts',
    mutant: 'objective: objectives.get(message.objective_id ?? "Stryker was here!") ?? null,',
    reason: 'No objective has this id.',
  },
  {
    file: 'lib/domain/content/parts.ts',
    mutant: '): Part | undefined => (false ? undefined : (given.get(id)?.part ?? stored.get(id)));',
    reason: 'No page or message has the id `null`.',
  },
  {
    file: 'lib/domain/content/similar.ts',
    mutant: 'for (let at = 0; at <= b.length; at++) {',
    reason: 'The additional element is not read.',
  },
  {
    file: 'lib/domain/content/similar.ts',
    mutant: `const sortedLetters = (letters: string): string => [...letters].sort().join("Stryker was here!");`,
    reason: 'Both texts that are compared are joined alike.',
  },
  {
    file: 'lib/domain/content/translate.ts',
    mutant: 'const wishes = [...(true ? [wish] : []), ...acceptedLanguages(acceptLanguage)];',
    reason: 'A value that is not a text is not a language tag.',
  },
  {
    file: 'lib/domain/content/translate.ts',
    mutant: `const wishes = [...(typeof wish === 'string' ? [wish] : ["Stryker was here"]), ...acceptedLanguages(acceptLanguage)];`,
    reason: 'The text is not a language tag.',
  },
  {
    file: 'lib/domain/content/described-fields.ts',
    mutant: 'default:',
    reason: 'Then nothing is added to the description either.',
  },
];
