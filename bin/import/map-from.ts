import { isCalendarDate } from '../../lib/domain/values/fields.ts';
import { dateFormat, dateForms, numberFormat, numberForms } from '../../lib/files/formats.ts';
import { type FileKind, isWordForNothing, knownField, typeOf } from '../../lib/files/kinds.ts';
import { sampleOf } from './sample.ts';
import { openSource } from './source.ts';

/** What other systems call a field, without regard to case and signs. The first that fits counts. */
const synonyms: Record<FileKind, readonly (readonly [RegExp, field: string])[]> = {
  accounts: [
    [/^(?:acct|account|acc)(?:no|nbr|num|number|id)?$|^kontonummer$/, 'account_number'],
    [
      /^(?:cif|cust|customer|client|member|contact|kunden?)(?:no|nbr|nr|num|number|id|uniqueid|nummer)?$/,
      'contact.unique_id',
    ],
    [/^(?:acct|account|cust|customer|owner|contact)?(?:role|relationship|rel)$/, 'contact.role'],
    [/^(?:prod|product)(?:cd|code|id|no)?$/, 'product.code'],
    [/^(?:prod|product|acct|account)(?:type|typ|class)$/, 'product.type'],
    [/^(?:prod|product)(?:name|desc|description)$/, 'product.name'],
    [/^(?:curr|current|acct|ledger)?(?:bal|balance)(?:amt)?$/, 'balance'],
    [/^(?:open|opened|opening)(?:dt|date)$|^date(?:open|opened)$/, 'opened_date'],
    [/^(?:close|closed|closing)(?:dt|date)$|^date(?:close|closed)$/, 'closed_date'],
  ],
  contacts: [
    [/^(?:cif|cust|customer|client|member|contact|kunden?)(?:no|nbr|nr|num|number|id|nummer)?$/, 'unique_id'],
    [/^(?:first|given|f)name$|^vorname$/, 'name_first'],
    [/^(?:last|family|sur|l)name$|^nachname$/, 'name_last'],
    [/^(?:e?mail)(?:addr|address)?$/, 'email'],
    [/^(?:mobile|cell)(?:phone|no|number)?$/, 'phone_mobile'],
    [/^(?:home)?phone(?:no|number)?$/, 'phone_home'],
    [/^(?:dob|birthdt|birthdate|dateofbirth|birthday)$/, 'birthdate'],
    [/^(?:zip|zipcode|postcode|postalcode|plz)$/, 'post_code'],
    [/^(?:addr|address|street)(?:line)?1?$/, 'address'],
  ],
};

const fieldOf = (kind: FileKind, name: string): string | undefined => {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const found = knownField(kind, name) ?? synonyms[kind].find(([pattern]) => pattern.test(plain))?.[1];
  return found !== undefined && typeOf(kind, found) !== undefined ? found : undefined;
};

/**
 * A map of a file by its header and its first thousand rows, to be edited: what each column probably is, three example
 * values, and how the file writes dates, numbers and nothing.
 */
export async function proposedMap(kind: FileKind, file: string, encoding: string | undefined) {
  const source = await openSource(file);
  try {
    const {
      layout,
      found,
      encoding: sampled,
      rows,
    } = await sampleOf(source.bytes(), { kind, name: source.name, encoding });
    const taken = new Set<string>();
    const notes: string[] = [];
    const columns = layout.header.flatMap((header, at): [string, Proposed][] => {
      const name = header.trim();
      if (name === '') return [];
      const values = [...new Set(rows.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== ''))];
      const guess = fieldOf(kind, name);
      const field = guess === undefined || taken.has(guess) ? null : guess;
      if (field) taken.add(field);
      return [[name, proposedColumn(kind, name, field, values, notes)]];
    });
    const dates = common(columns, 'dates');
    const numbers = common(columns, 'numbers');
    const map = {
      ...Object.fromEntries(columns),
      ...(dates && { _dates: dates }),
      ...(numbers && { _numbers: numbers }),
      ...(layout.delimiter !== found && { _delimiter: layout.delimiter }),
      ...(sampled && { _encoding: sampled }),
    };
    return { map, notes };
  } finally {
    await source.release();
  }
}

type Proposed = {
  field: string | null;
  values?: Record<string, string>;
  dates?: string;
  numbers?: string;
  examples: string[];
};

function proposedColumn(
  kind: FileKind,
  name: string,
  field: string | null,
  values: readonly string[],
  notes: string[],
): Proposed {
  const words = values.filter(isWordForNothing);
  const texts = values.filter((value) => !isWordForNothing(value)).map((value) => value.trim());
  const type = field === null ? undefined : typeOf(kind, field);
  const dates = type === 'date' ? dateFormsOf(texts) : [];
  if (dates.length > 1) notes.push(`the dates of ${name} can be ${dates.join(' or ')}: check which`);
  const isNumber = type === 'decimal' || type === 'integer';
  const numbers = isNumber && texts.some((text) => !/^-?\d+(?:\.\d+)?$/.test(text)) ? numberFormOf(texts) : undefined;
  return {
    field,
    ...(words.length > 0 && { values: Object.fromEntries(words.map((word) => [word, ''])) }),
    ...(dates[0] !== undefined && { dates: dates[0] }),
    ...(numbers !== undefined && { numbers }),
    examples: texts.slice(0, 3),
  };
}

function dateFormsOf(texts: readonly string[]): string[] {
  const isIso = texts.every((text) => /^\d{4}-\d\d-\d\d/.test(text));
  return isIso
    ? []
    : dateForms.filter((form) => texts.every((text) => isCalendarDate(dateFormat(form)!.read(text) ?? '')));
}

const numberFormOf = (texts: readonly string[]): string | undefined =>
  numberForms.find((form) => texts.every((text) => numberFormat(form)!.read(text) !== undefined));

/** The format of all columns that have one. It is then said once, and not of each column. */
function common(columns: readonly [string, Proposed][], key: 'dates' | 'numbers'): string | undefined {
  const found = new Set(columns.flatMap(([, column]) => column[key] ?? []));
  if (found.size !== 1) return undefined;
  for (const [, column] of columns) delete column[key];
  return [...found][0];
}
