/**
 * What pages read of values that the import document does not define, such as the `data` of a block. The renderers, the
 * warnings of the import and the JSON Schema of the document all use these declarations.
 */
export type Shape =
  /**
   * A text, with placeholders. `numbers`: a number is shown as a text. `form`: without it, the text is no link. `marks`: it
   * is shown in paragraphs, and can have bold, lists and links.
   */
  | { is: 'text'; numbers?: true; form?: 'phone' | 'email'; marks?: true }
  | { is: 'url' }
  /** A name or a key that is not shown. */
  | { is: 'word' }
  | { is: 'flag' }
  /** The id of a file of the team. */
  | { is: 'file'; type: 'image' | 'font' }
  | { is: 'setting'; form: SettingForm }
  | { is: 'list'; of: Shape }
  | { is: 'object'; of: ObjectShape }
  /** A text, or an object with more fields. */
  | { is: 'either'; text: Shape; object: ObjectShape };

/** Forms of settings. The warnings of the import know which values each form can have. */
export type SettingForm =
  | 'color'
  | 'dark'
  | 'font'
  | 'size'
  | 'radius'
  | 'scale'
  | 'count'
  | 'kind'
  | 'image'
  | 'classes'
  | 'phone'
  | 'email';

/** @property named for messages, for example "a card" @property verb what is said of a field that is not read */
export type ObjectShape = { named: string; verb?: 'is not shown' | 'has no effect'; fields: Fields };

export type Field = {
  shape: Shape;
  description: string;
  /** Other names of the field. The first name that has a value is read. */
  also?: readonly string[];
  /** Fields without which this one is not shown. One of them is enough. */
  needs?: readonly [string, ...string[]];
  /** The field is not shown if this one is. */
  unless?: string;
};
export type Fields = Readonly<Record<string, Field>>;

/** The names under which the field can be written, in the order in which they are read. */
export const namesOf = (fields: Fields, name: string): readonly string[] => [name, ...(fields[name]?.also ?? [])];
