import type { Equivalent } from '../equivalent.ts';

export const inDomain: readonly Equivalent[] = [
  {
    file: 'lib/domain/account-conditions.ts',
    mutant: 'properties: { [``]: {}, [head]: objectWith(inner) },',
    reason: 'The schema of the property allows every value.',
  },
  {
    file: 'lib/domain/account-record.ts',
    mutant: "addIssue({ code: 'unrecognized_keys', keys: [], path: [name], message: ambiguous });",
    reason: 'The type requires the keys, but only the path and the message are reported.',
  },
  {
    file: 'lib/domain/account-record.ts',
    mutant: 'if (!isJsonObject(record) || !Object.keys(record).some((name) => name.includes(""))) return record;',
    reason: 'A record without dotted keys is copied. Only the time differs.',
  },
  {
    file: 'lib/domain/chunk.ts',
    mutant: 'failed > 0 || (true && now < Date.parse(guarded_until));',
    reason: '`Date.parse` of `undefined` is not a number, and no time is less than that.',
  },
  {
    file: 'lib/domain/directory.ts',
    line: 'if (this.#kept.length >= 2 * this.#count + 1000) this.#kept = this.taken();',
    reason: 'Only time and memory differ.',
  },
  {
    file: 'lib/domain/directory.ts',
    line: 'const isCapital = (code: number): boolean => code >= 65 && code <= 90;',
    reason: 'No mark of a cell is A or Z, and values have no capitals.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'while (at <= row.length && !isCapital(row.charCodeAt(at))) at++;',
    reason: 'A slice that ends after the end of the row is the same.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'return sign / compare(a.value, b.value);',
    reason: 'The values differ here, so the comparison gives 1 or -1.',
  },
  {
    file: 'lib/domain/directory.ts',
    mutant: 'const compare = (a: string, b: string): number => (a <= b ? -1 : a > b ? 1 : 0);',
    reason: 'Only one position has an id, and both -1 and 0 mean that it is not after itself.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: `const isFinishing = is_completed && true && recorded(actions, 'finished').size === 0;`,
    reason: 'A journey that is completed without a completed page was recorded as finished.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'return true && Object.hasOwn(completions, page.objective_id);',
    reason: 'No objective has the id `null`.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'default:',
    reason: 'The function then returns undefined, which is used like false.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'const closed = false ? undefined : instant(closedDate);',
    reason: '`instant` of `null` is undefined too.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'if (id === null && type === null) return () => undefined;',
    reason: 'The result is used like false.',
  },
  {
    file: 'lib/domain/completion.ts',
    mutant: 'times.reduce<string | null>((last, time) => (last === null || time >= last ? time : last), null);',
    reason: 'Equal times are the same text.',
  },
  {
    file: 'lib/domain/drop.ts',
    mutant: 'const [, teamId, kind] = place.exec(key) ?? ["Stryker was here"];',
    reason: 'The first part is not read.',
  },
  {
    file: 'lib/domain/drop.ts',
    mutant: `const [folder = "Stryker was here!", type] = key.split('/');`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/domain/expected-file.ts',
    mutant: 'return [+2, -1, 0, 1, 2].map((days) => {',
    reason: 'The last and the next hour are within a day.',
  },
  {
    file: 'lib/domain/expected-file.ts',
    mutant: 'const wanted = Date.UTC(year, month - 1, day - days, hours, minutes);',
    reason: 'The days are the same in the other order.',
  },
  {
    file: 'lib/domain/objective.ts',
    mutant: 'return false ? stored : { ...stored, ...Object.fromEntries(fresh) };',
    reason: 'An equal copy.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: `const asked = (acceptLanguage ?? "Stryker was here!").slice(0, longest).split(',').flatMap(weighted);`,
    reason: 'Neither text is a list of languages.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: `const [, tag, weight = '1'] = range.exec(text.trim()) ?? ["Stryker was here"];`,
    reason: 'The first part is not read.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: 'return tag === undefined ? ["Stryker was here"] : [{ tag, weight: Number(weight) }];',
    reason: 'A text has no weight, so it is filtered out.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: 'const range = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:\\s*;\\s*q=(0(?:\\.\\d{0,3})|1(?:\\.0{0,3})?))?$/i;',
    reason: 'A weight of zero excludes the language, as an invalid one does.',
  },
  {
    file: 'lib/domain/lookup.ts',
    mutant: `const isDirect = true && (field.name === 'id' || field.name === 'unique_id');`,
    reason: 'A text has no name.',
  },
  {
    file: 'lib/domain/lookup.ts',
    mutant: `const isDirect = typeof field !== "" && (field.name === 'id' || field.name === 'unique_id');`,
    reason: 'A text has no name.',
  },
  {
    file: 'lib/domain/placeholders.ts',
    mutant: `[...text.matchAll(placeholder)].map(([, inside = "Stryker was here!"]) => {`,
    reason: 'Every match has a text between the braces.',
  },
  {
    file: 'lib/domain/response.ts',
    mutant: 'return unansweredQuestions(block, values, given ?? ["Stryker was here"]).map((text) => ({',
    reason: 'A text has no value, so it is no answer.',
  },
  {
    file: 'lib/domain/journey.ts',
    mutant: 'const updated_at = times.reduce((last, time) => (time >= last ? time : last), journey.updated_at);',
    reason: 'Equal times are the same text.',
  },
  {
    file: 'lib/domain/language.ts',
    mutant: 'for (const wish of wishes.flatMap((each) => canonicalLanguage(each) ?? ["Stryker was here"])) {',
    reason: 'The text is not a language.',
  },
  {
    file: 'lib/domain/identity-need.ts',
    mutant: 'const blocks = [...(isFirst ? template.content_blocks : ["Stryker was here"]), ...page.content_blocks];',
    reason: 'A text has no data.',
  },
  {
    file: 'lib/domain/linked-account.ts',
    mutant: 'if (left !== right) return left <= right ? -1 : 1;',
    reason: 'The dates differ here.',
  },
  {
    file: 'lib/domain/linked-account.ts',
    mutant: 'return a.account_number <= b.account_number ? -1 : 1;',
    reason: 'No two accounts have the same number.',
  },
  {
    file: 'lib/domain/linked-account.ts',
    mutant: `const openedAt = ({ account }: LinkedAccount): string => instant(String(account.fields.opened_date ?? "Stryker was here!")) ?? '';`,
    reason: 'Neither text is a date.',
  },
  {
    file: 'lib/domain/team-file.ts',
    mutant: `const id = typeof value === 'string' ? value.toLowerCase() : "Stryker was here!";`,
    reason: 'Neither text is an id.',
  },
  {
    file: 'lib/domain/timestamp.ts',
    mutant: `const sixDigits = (time: string): string => time.replace(/\\.(\\d{3})Z/, '.$1000Z');`,
    reason: 'The Z is the last character of every timestamp.',
  },
  {
    file: 'lib/domain/audit.ts',
    mutant: 'const first = monthOf(since) >= firstMonth ? monthOf(since) : firstMonth;',
    reason: 'Equal months are the same text.',
  },
  {
    file: 'lib/domain/error-fields.ts',
    mutant: 'const framesOf = ({ stack = "Stryker was here!", message }: Error): string[] =>',
    reason: 'The line is not a frame.',
  },
  {
    file: 'lib/domain/error-fields.ts',
    mutant: '.replace(message, "Stryker was here!")',
    reason: 'The first line of a stack is not a frame, with either text.',
  },
  {
    file: 'lib/domain/identity-facts.ts',
    mutant: `return name === 'post_code' ? normalizedPostCode(answers.post_code ?? '') : lastDigits(answers.phone ?? "Stryker was here!");`,
    reason: 'Neither text has digits.',
  },
  {
    file: 'lib/domain/identity-facts.ts',
    mutant: 'const part = (field: keyof Answers) => plain(answers[field] ?? "Stryker was here!");',
    reason: 'Neither text is a part of a date.',
  },
  {
    file: 'lib/domain/sandbox.ts',
    mutant: 'true && Object.hasOwn(table, key) ? table[key] : undefined;',
    reason: 'No table has the key `null` or `undefined`.',
  },
];
