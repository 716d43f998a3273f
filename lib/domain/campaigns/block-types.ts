import type { Field, Fields, ObjectShape } from './shape.ts';

/** What the types of content blocks read from `data`. */

const text = (description: string, also: readonly string[] = []): Field => ({
  shape: { is: 'text' },
  description,
  also,
});
/** With bold, lists and links. */
const prose = (description: string, also: readonly string[] = []): Field => ({
  shape: { is: 'text', marks: true },
  description,
  also,
});
const url = (description: string, also: readonly string[] = []): Field => ({ shape: { is: 'url' }, description, also });

const ofEveryBlock: Fields = {
  name: text('Name for editors and screen readers. Shown only if a link has no other text'),
  customClass: { shape: { is: 'setting', form: 'classes' }, description: 'Classes for CSS, separated by spaces' },
};

const proseFields: Fields = {
  ...ofEveryBlock,
  heading: text('Heading'),
  body: prose('Text, in paragraphs separated by empty lines', ['text', 'content']),
};

export const term: ObjectShape = {
  named: 'a term',
  fields: {
    label: { ...text('What it is, such as "Interest rate"'), needs: ['value'] },
    value: { ...text('Its value, such as "3.2 %"'), needs: ['label'] },
  },
};

const proseWithTerms: Fields = {
  ...proseFields,
  terms: {
    shape: { is: 'list', of: { is: 'object', of: term } },
    description: 'Pairs of a label and a value, such as the terms of an offer, below the text',
  },
};

const document: Fields = {
  documentLinkText: { ...text('Text of the link to the document'), needs: ['documentLinkUrl'] },
  documentLinkUrl: { ...url('URL of the document'), needs: ['documentLinkText', 'name'] },
};

const agreed: Fields = {
  ...ofEveryBlock,
  heading: text('Heading'),
  body: prose('Text above what is agreed to'),
  agreementText: prose('What the person agrees to. On the button if it has at most 40 characters, else above it'),
  ...document,
  signatureBoxText: text('Label of the field for a typed name. Without it, no name is asked'),
};

const decision: Fields = {
  disagreeText: text('Text of the button that declines. Without it, there is no such button'),
  acceptedConfirmationText: prose('Text after an acceptance'),
  declinedConfirmationText: { ...prose('Text after a refusal'), needs: ['disagreeText'] },
  declineCompletes: {
    shape: { is: 'flag' },
    description: 'True if declining completes the page too. By default only an acceptance does',
    needs: ['disagreeText'],
  },
};

const key = (of: string): Field => ({
  shape: { is: 'word' },
  description: `Name of the ${of} in responses and results, the same in every language. Without it, one is made from its place`,
  also: ['id'],
});

const formerKeys = (of: string): Field => ({
  shape: { is: 'list', of: { is: 'word' } },
  description: `Written by the import: keys of ${of} that were removed, which no other one gets`,
});

export const option: ObjectShape = {
  named: 'an option',
  fields: {
    text: text('The option', ['label']),
    image: {
      shape: { is: 'file', type: 'image' },
      description: 'Id of an image that `file put` has stored, shown above the text',
    },
    altText: {
      ...text('Description of the image, for people who do not see it and if the text does not say it'),
      needs: ['image'],
    },
    key: key('option'),
  },
};

export const question: ObjectShape = {
  named: 'a question',
  fields: {
    text: text('The question', ['question', 'label', 'heading']),
    options: {
      shape: { is: 'list', of: { is: 'either', text: { is: 'text', numbers: true }, object: option } },
      description: 'The options, of which the person chooses one. Without options and scale, the person types a text',
      also: ['choices', 'answers'],
      unless: 'scale',
    },
    scale: {
      shape: { is: 'setting', form: 'scale' },
      description: 'The lowest and the highest number of a scale of at most 11 steps, such as [1, 5]',
    },
    lowestText: { ...text('What the lowest number of the scale means'), needs: ['scale'] },
    highestText: { ...text('What the highest number of the scale means'), needs: ['scale'] },
    multiple: {
      shape: { is: 'flag' },
      description: 'True if the person can choose several options',
      needs: ['options'],
      unless: 'scale',
    },
    min: {
      shape: { is: 'setting', form: 'count' },
      description: 'The fewest options, if any is chosen',
      needs: ['multiple'],
    },
    max: { shape: { is: 'setting', form: 'count' }, description: 'The most options', needs: ['multiple'] },
    type: {
      shape: { is: 'setting', form: 'kind' },
      description: 'What the person enters in place of a text: `number` or `date`',
      unless: 'options',
    },
    required: { shape: { is: 'flag' }, description: 'True if the survey cannot be sent without this answer' },
    key: key('question'),
    formerKeys: formerKeys('options'),
  },
};

/** A kind of block, the types that name it in campaigns, and the fields of `data` that it reads. */
type Declaration = ObjectShape & { types: readonly string[] };

export const blockKinds = {
  heading: { types: ['heading'], named: 'a heading', fields: proseFields },
  text: { types: ['text', 'paragraph'], named: 'a text', fields: proseWithTerms },
  card: { types: ['card'], named: 'a card', fields: proseWithTerms },
  image: {
    types: ['image'],
    named: 'an image',
    fields: {
      ...ofEveryBlock,
      file_id: { shape: { is: 'file', type: 'image' }, description: 'Id of an image that `file put` has stored' },
      dark_file_id: {
        shape: { is: 'file', type: 'image' },
        description: 'Id of the image that is shown in its place in dark colors',
      },
      src: {
        shape: { is: 'setting', form: 'image' },
        description: 'A `data:` URL of an image, if the image is not a file',
        also: ['url', 'data'],
        unless: 'file_id',
      },
      altText: text('Description for people who do not see the image; "" for a decoration', ['alt']),
      caption: text('Text below the image'),
    },
  },
  divider: { types: ['divider'], named: 'a divider', fields: ofEveryBlock },
  call: {
    types: ['button', 'cta', 'call_to_action'],
    named: 'a button',
    fields: {
      ...ofEveryBlock,
      text: text('Text of the button', ['label', 'buttonText', 'heading']),
      url: { ...url('URL that the button opens', ['href', 'link']), needs: ['text', 'name'] },
    },
  },
  document: {
    types: ['document_link', 'document', 'direct_deposit'],
    named: 'a document',
    fields: { ...ofEveryBlock, heading: text('Heading'), body: prose('Text above the link', ['text']), ...document },
  },
  agreement: {
    types: ['agreement', 'agree_disagree', 'signature'],
    named: 'an agreement',
    fields: { ...agreed, ...decision },
  },
  confirmation: {
    types: ['confirm', 'confirmation'],
    named: 'a confirmation',
    fields: { ...agreed, text: text('Text of the button', ['label', 'buttonText']), ...decision },
  },
  survey: {
    types: ['survey'],
    named: 'a survey',
    fields: {
      ...ofEveryBlock,
      heading: text('Heading'),
      formerKeys: formerKeys('questions'),
      questions: {
        shape: { is: 'list', of: { is: 'either', text: { is: 'text' }, object: question } },
        description: 'The questions: texts, or objects with `text` and `options` or a `scale`',
      },
      text: text('Text of the button', ['buttonText']),
      acceptedConfirmationText: prose('Text after the answers are sent'),
    },
  },
} as const satisfies Record<string, Declaration>;

export type BlockKind = keyof typeof blockKinds;

/** An unknown type shows these texts. */
export const unknownBlock: ObjectShape = {
  named: 'an unknown block',
  fields: {
    ...ofEveryBlock,
    heading: text('Heading'),
    ...Object.fromEntries(
      ['body', 'text', 'content', 'agreementText', 'signatureBoxText', 'documentLinkText'].map((name) => [
        name,
        prose('Text'),
      ]),
    ),
  },
};

const kindsByType = new Map<string, BlockKind>(
  (Object.keys(blockKinds) as BlockKind[]).flatMap((kind) => blockKinds[kind].types.map((type) => [type, kind])),
);

/** The type of a block in the form in which it is compared. */
export const blockTypeName = (type: string | null): string => (type ?? 'text').toLowerCase().replaceAll(/[\s-]+/g, '_');

/** All types of blocks. */
export const blockTypes: readonly string[] = [...kindsByType.keys()];

/** The kind of a block. `undefined` for an unknown type. */
export const blockKindOf = (type: string | null): BlockKind | undefined => kindsByType.get(blockTypeName(type));

const asking: readonly (BlockKind | undefined)[] = ['agreement', 'confirmation', 'survey'];
/** True if blocks of this type ask for an answer of their own. */
export const asks = (type: string | null): boolean => asking.includes(blockKindOf(type));

export const blockShapeOf = (type: string | null): ObjectShape => {
  const kind = blockKindOf(type);
  return kind ? blockKinds[kind] : unknownBlock;
};
